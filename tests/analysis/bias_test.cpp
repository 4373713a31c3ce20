#include "tare/analysis/bias.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/confidences.hpp"
#include "support/truths.hpp"
#include "tare/simulate/truth.hpp"

namespace {

using namespace tare::detail;
using tare::detail::analysis::BiasOptions;
using tare::detail::analysis::inverted;
using tare::detail::testing::confidences;
using tare::detail::testing::drawn;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

// mean^2 = error^2 + 0.03^2, as when noise of 3% adds to every error
analysis::Path noisy(std::vector<double> errors) {
  analysis::Path out{std::move(errors), {}};
  for (const double e : out.error) out.mean.push_back(std::hypot(e, 0.03));
  return out;
}

TEST(corrected_value, undoes_noise_that_adds_in_squares) {
  const auto path = noisy({0, 0.01, 0.05});
  EXPECT_NEAR(inverted(path, 0.05), 0.04, 1e-12);                        // 3, 4, 5
  EXPECT_NEAR(inverted(path, 0.13), std::sqrt(0.0169 - 0.0009), 1e-12);  // beyond the last point
}

TEST(corrected_value, is_never_below_zero) {
  EXPECT_EQ(inverted(noisy({0, 0.05}), 0.03), 0);
  EXPECT_EQ(inverted(noisy({0, 0.05}), 0.001), 0);
  EXPECT_EQ(inverted(noisy({0, 0.05}), 0), 0);
}

TEST(corrected_value, is_the_value_where_the_mean_is_the_error) {
  const analysis::Path exact{{0, 0.02, 0.1}, {0, 0.02, 0.1}};
  for (const double x : {0.0, 0.01, 0.02, 0.07, 0.1, 0.2}) EXPECT_NEAR(inverted(exact, x), x, 1e-12);
}

TEST(corrected_value, passes_over_means_that_fall_by_chance) {
  const analysis::Path path{{0, 0.01, 0.05}, {0.03, 0.029, 0.06}};
  EXPECT_EQ(inverted(path, 0.03), 0);
  EXPECT_NEAR(inverted(path, 0.06), 0.05, 1e-12);
}

// Samples of a network of Roelofs et al. 2022, whose true error is known: what was measured is off, what was corrected
// less.
TEST(bias, corrections_come_closer_to_the_truth_than_measured_values) {
  const auto truth = must(simulate::model("resnet110_c10"));
  const double tce = must(simulate::true_error(truth, 2));
  double measured = 0, corrected = 0;
  constexpr int samples = 20;
  for (int s = 0; s < samples; ++s) {
    const auto rows = drawn(truth, 500, 100 + static_cast<std::uint64_t>(s));
    const BiasOptions options{.norms = {2}, .estimators = {"ece_ew"}, .replicates = 200};
    const auto report = must(analysis::bias(confidences(rows), options));
    ASSERT_EQ(report.corrections.size(), 1U);
    measured += (*report.corrections[0].observed - tce) / samples;
    corrected += (*report.corrections[0].corrected - tce) / samples;
  }
  // ece_ew of 15 bins is 0.4 points too high here at n = 200 and falls with n; one estimate has an sd of 1.5 points
  EXPECT_LT(std::abs(corrected), std::abs(measured) + 0.006);
  EXPECT_LT(std::abs(corrected), 0.012);
}

TEST(bias, of_calibrated_data_is_taken_off) {
  const auto truth = must(simulate::model("resnet110_c10", true));
  const auto rows = drawn(truth, 500, 7);
  const auto report =
      must(analysis::bias(confidences(rows), {.norms = {2}, .estimators = {"ece_ew", "sweep_em"}, .replicates = 200}));
  for (const auto& c : report.corrections) {
    // a sweep is left alone, and says why
    EXPECT_EQ(c.corrected.has_value(), c.estimator == "ece_ew");
    EXPECT_EQ(c.reason.empty(), c.estimator == "ece_ew");
    EXPECT_LE(c.corrected.value_or(0), *c.observed);
    EXPECT_GT(*c.bias, 0);
  }
}

TEST(bias, does_not_depend_on_threads) {
  const auto rows = drawn(must(simulate::model("densenet40_c100")), 300, 3);
  BiasOptions options{.estimators = {"ece_em", "debias_em"}, .replicates = 50};
  const auto one = must(analysis::bias(confidences(rows), options));
  options.threads = 3;
  const auto three = must(analysis::bias(confidences(rows), options));
  ASSERT_EQ(one.corrections.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(*one.corrections[i].corrected, *three.corrections[i].corrected);
    EXPECT_EQ(*one.corrections[i].bias, *three.corrections[i].bias);
  }
}

TEST(bias, says_what_it_cannot_do) {
  const auto none =
      analysis::bias(confidences(drawn(must(simulate::model("resnet110_c10")), 50, 1)), {.estimators = {"nll"}});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().what.find("true calibration error"), std::string::npos);
}

}  // namespace
