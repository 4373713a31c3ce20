#include "tare/analysis/test.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/maps.hpp"
#include "tare/render/prose/prose.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

Predictions predictions(const Matrix& data) {
  Predictions out;
  out.kind = data.kind;
  out.matrix = data.view();
  out.n = data.rows();
  out.k = data.view().classes();
  out.source = "test";
  return out;
}

TestReport tested(const Matrix& data, analysis::TestOptions options = {}) {
  options.detectable = false;
  options.resamples = 199;
  return must(analysis::test(predictions(data), options));
}

// Two classes in one column: the truth is sigma(z), the model says sigma(heat z + shift).
Matrix two_classes(std::size_t n, double heat, double shift, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal(0, 1.5);
  std::uniform_real_distribution<double> uniform;
  Matrix out{.kind = Kind::logits, .columns = 1, .values = {}, .label = {}};
  for (std::size_t i = 0; i < n; ++i) {
    const double z = normal(rng);
    out.values.push_back(heat * z + shift);
    out.label.push_back(uniform(rng) < 1 / (1 + std::exp(-z)));
  }
  return out;
}

TEST(level_shift, explains_a_shift_and_finds_it) {
  int explained = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Matrix data = two_classes(2000, 1, 0.7, seed);
    const TestReport report = tested(data);
    ASSERT_TRUE(report.level) << seed;
    explained += report.level->explained;
    ASSERT_EQ(report.level->shift.size(), 1U);
    double information = 0;
    for (const double z : data.values) information += 1 / (2 + std::exp(z - 0.7) + std::exp(0.7 - z));
    EXPECT_NEAR(report.level->shift[0], -0.7, 4 / std::sqrt(information)) << seed;
    EXPECT_EQ(report.level->explained, report.level->p_value > 0.05);
  }
  EXPECT_GE(explained, 17);  // a fitted intercept makes the second test reject less often than 1 in 20
}

TEST(level_shift, does_not_explain_what_is_too_extreme) {
  const TestReport report = tested(two_classes(2000, 2, 0.7, 1));
  ASSERT_TRUE(report.level);
  EXPECT_FALSE(report.level->explained);
  EXPECT_NE(render::test_conclusion(report).find("alone does not explain it"), std::string::npos);
}

TEST(level_shift, says_nothing_where_nothing_is_rejected_or_asked) {
  EXPECT_FALSE(tested(two_classes(2000, 1, 0, 4)).level);
  EXPECT_FALSE(tested(two_classes(2000, 1, 0.7, 4), {.statistics = {"ks"}}).level);
  Matrix certain = two_classes(2000, 1, 0.7, 4);
  certain.kind = Kind::probs;
  for (double& z : certain.values) z = 1 / (1 + std::exp(-z));
  ASSERT_TRUE(tested(certain).level);
  certain.values[0] = 1;
  certain.label[0] = 0;
  EXPECT_FALSE(tested(certain).level);
}

// Logits of three classes whose shares have changed: all of the error is in the intercepts.
TEST(level_shift, works_on_the_whole_matrix) {
  Matrix data = simulated_logits(4000, 3, 1, 7);
  const double moved[] = {0.8, -0.5, -0.3};
  for (std::size_t i = 0; i < data.values.size(); ++i) data.values[i] += moved[i % 3];
  const TestReport report = tested(data);
  EXPECT_EQ(report.input.reduction, Reduction::top_label);
  ASSERT_TRUE(report.level);
  EXPECT_TRUE(report.level->explained) << report.level->p_value;
  ASSERT_EQ(report.level->shift.size(), 3U);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(report.level->shift[c], -moved[c], 0.15);
  const std::string said = render::test_conclusion(report);
  EXPECT_NE(said.find("A shift of the base rates alone explains it"), std::string::npos) << said;
  EXPECT_NE(said.find("does not reject after the shift"), std::string::npos) << said;
  // two columns are one
  Matrix two = simulated_logits(3000, 2, 1, 8);
  for (std::size_t i = 1; i < two.values.size(); i += 2) two.values[i] += 0.9;
  for (const auto reduction : {Reduction::positive, Reduction::top_label}) {
    const TestReport both = tested(two, {.reduction = reduction});
    ASSERT_TRUE(both.level);
    EXPECT_EQ(both.level->shift.size(), 1U);
    EXPECT_NEAR(both.level->shift[0], -0.9, 0.25);
  }
}

}  // namespace
