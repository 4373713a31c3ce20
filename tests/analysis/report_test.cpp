#include "tare/analysis/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace {

using namespace tare::detail;

// A hundred rows with confidence 0.9, of which 80 are right.
struct NineTenths {
  std::vector<double> score = std::vector<double>(100, 0.9);
  std::vector<std::uint8_t> label = std::vector<std::uint8_t>(100, 0);
  Predictions predictions;
  NineTenths() {
    for (std::size_t i = 0; i < 80; ++i) label[i] = 1;
    predictions.kind = Kind::confidences;
    predictions.n = 100;
    predictions.confidences = *binary_view(std::span<const double>(score), label);
  }
};

// Differences are -0.1 (80 times) and 0.9 (20 times): mean 0.1, variance 0.16, standard error sqrt(0.16 / 99).
TEST(report, knows_the_mean_gap_of_pencil_and_paper) {
  const NineTenths data;
  const auto report = analysis::report(data.predictions, nullptr, {.bias = false});
  ASSERT_TRUE(report) << sentence(report.error());
  const IntervalEstimate& gap = report->survey.test->verdict.mean_gap;
  EXPECT_NEAR(gap.value, 0.1, 1e-15);
  // one score, so one part of the test, which takes a third of the level: about as wide as 95%, and no narrower
  const double half = 1.959963984540054 * std::sqrt(0.16 / 99);
  EXPECT_LE(*gap.low, 0.1 - half + 1e-12);
  EXPECT_GE(*gap.low, 0.1 - 1.5 * half);
  EXPECT_NEAR(*gap.low + *gap.high, 0.2, 1e-12);
}

TEST(report, says_why_a_part_is_missing) {
  const NineTenths data;
  const auto report = analysis::report(data.predictions, nullptr, {.bias = false});
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->classes);
  EXPECT_NE(report->classes_reason, "");
  EXPECT_EQ(report->bias_reason, "not asked for");
  EXPECT_FALSE(report->comparison);
  EXPECT_TRUE(report->survey.test);
}

// Three classes, one of them claimed too often; the same rows serve as validation data.
TEST(report, tells_its_progress_and_covers_every_part) {
  const std::size_t n = 300;
  std::vector<double> probs;
  std::vector<std::int32_t> label;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t top = i % 3;
    for (std::size_t k = 0; k < 3; ++k) probs.push_back(k == top ? 0.6 + 0.001 * static_cast<double>(i % 100) : 0);
    for (std::size_t k = 0; k < 3; ++k)
      if (k != top) probs[3 * i + k] = (1 - probs[3 * i + top]) / 2;
    label.push_back(static_cast<std::int32_t>(i % 7 < 4 ? top : (i / 3) % 3));
  }
  Predictions p;
  p.kind = Kind::probs;
  p.n = n;
  p.k = 3;
  p.matrix = *multiclass_view(Kind::probs, std::span<const double>(probs), 3, label);
  p.source = "three.npz";
  std::set<std::string> stages;
  const auto report = analysis::report(p, &p,
                                       {.replicates = 20,
                                        .methods = {"temperature"},
                                        .progress = [&](std::string_view stage, std::size_t done, std::size_t total) {
                                          stages.insert(std::string(stage));
                                          EXPECT_LE(done, total);
                                        }});
  ASSERT_TRUE(report) << sentence(report.error());
  EXPECT_TRUE(report->bias) << report->bias_reason;
  EXPECT_TRUE(report->classes) << report->classes_reason;
  ASSERT_TRUE(report->comparison);
  EXPECT_EQ(report->comparison->methods.size(), 2U);
  EXPECT_EQ(report->survey.bands.front().estimator, "ece_ew");
  EXPECT_EQ(report->survey.input.k, 3U);
  EXPECT_FALSE(report->about.empty());
  for (const char* stage : {"measuring", "noise floors", "redrawing", "classes"})
    EXPECT_TRUE(stages.contains(stage)) << stage;
}

TEST(report, refuses_classwise) {
  const NineTenths data;
  EXPECT_FALSE(analysis::report(data.predictions, nullptr, {.reduction = Reduction::classwise}));
}

}  // namespace
