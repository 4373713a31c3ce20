#include "tare/analysis/estimate_rows.hpp"

#include <gtest/gtest.h>

#include "infer/support.hpp"
#include "tare/analysis/bias.hpp"
#include "tare/analysis/survey.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

Predictions binary(const std::vector<double>& p, const std::vector<std::int32_t>& label) {
  return {.kind = Kind::probs,
          .n = label.size(),
          .k = 2,
          .matrix = *multiclass_view(Kind::probs, std::span(p), 1, label),
          .confidences = std::nullopt,
          .source = "",
          .class_names = {},
          .owners = {}};
}

const measure::Estimator& row(std::string_view name) { return *measure::find(name); }

// Scores 0.25 and 0.75, one hit of two each: both gaps are 0.25, and of opposite sign in one bin.
TEST(estimate, gives_the_value_on_paper) {
  const std::vector<double> p{0.25, 0.25, 0.75, 0.75};
  const std::vector<std::int32_t> y{0, 1, 0, 1};
  EXPECT_NEAR(must(analysis::estimate(binary(p, y), row("ece_ew"), {.bins = 2})).value, 0.25, 1e-13);
  EXPECT_NEAR(must(analysis::estimate(binary(p, y), row("ece_ew"), {.bins = 2, .norm = 2})).value, 0.25, 1e-13);
  EXPECT_EQ(must(analysis::estimate(binary(p, y), row("ece_ew"), {.bins = 1})).value, 0);
  // top labels: confidence 0.75 four times, two hits
  EXPECT_NEAR(must(analysis::estimate(binary(p, y), row("ece_ew"), {.reduction = Reduction::top_label})).value, 0.25,
              1e-13);
}

TEST(estimate, is_the_line_of_the_survey) {
  const Rows rows = shaped("piled", 500, 3);
  const std::vector<std::int32_t> label(rows.label.begin(), rows.label.end());
  const Predictions p = binary(rows.score, label);
  for (const auto reduction : {Reduction::positive, Reduction::top_label, Reduction::classwise}) {
    const auto survey = analysis::survey(p, {.reduction = reduction, .resample = false});
    for (const Measured& m : survey->measured) {
      if (m.class_index) continue;
      const auto one = analysis::estimate(p, row(m.name), {.reduction = reduction, .norm = m.norm.value_or(1)});
      ASSERT_EQ(one.has_value(), m.estimate.has_value()) << m.name;
      if (one) {
        EXPECT_EQ(one->value, m.estimate->value) << m.name;
      }
    }
  }
}

TEST(estimate, refuses_options_without_meaning) {
  const std::vector<double> p{0.25, 0.75};
  const std::vector<std::int32_t> y{0, 1};
  EXPECT_EQ(analysis::estimate(binary(p, y), row("ece_ew"), {.bins = 0}).error().code, Errc::bad_option);
  EXPECT_EQ(analysis::estimate(binary(p, y), row("ece_ew"), {.norm = 3}).error().code, Errc::bad_option);
  EXPECT_EQ(analysis::estimate(binary(p, y), row("debias_em"), {.norm = 1}).error().code, Errc::unsupported);
  EXPECT_TRUE(analysis::estimate(binary(p, y), row("accuracy"), {.norm = 3}));
}

TEST(truth_study, knows_the_true_error_of_a_named_truth) {
  const analysis::BiasOptions options{.estimators = {"ece_ew"}, .sizes = {100}, .replicates = 10};
  // hit rate c^2 at uniform scores: the integral of c - c^2 is 1/6
  EXPECT_NEAR(must(analysis::study_truth({.curve = "power:2"}, options)).true_error.norm1.value(), 1.0 / 6, 1e-9);
  EXPECT_EQ(must(analysis::study_truth({.model = "resnet110_c10", .perfect = true}, options)).true_error.norm2, 0);
  EXPECT_EQ(analysis::study_truth({.model = "resnet110_c10", .curve = "power:2"}, options).error().code,
            Errc::bad_option);
  EXPECT_EQ(analysis::study_truth({.beta = {1}}, options).error().code, Errc::bad_option);
}

}  // namespace
