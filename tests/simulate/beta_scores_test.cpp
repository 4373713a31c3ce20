#include "tare/simulate/fit/fit_truth.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/digamma.hpp>
#include <cmath>

#include "support/golden.hpp"
#include "support/ordered.hpp"
#include "support/truths.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {
namespace {

using tare::detail::testing::drawn;
using tare::detail::testing::must;
using tare::detail::testing::ordered;
using tare::detail::testing::Rows;

Rows scores(std::vector<double> s) {
  std::vector<std::uint8_t> labels(s.size(), 1);
  return {std::move(s), std::move(labels)};
}
Rows weighted(std::vector<double> s, std::vector<double> w) {
  Rows out = scores(std::move(s));
  out.weight = std::move(w);
  return out;
}
Rows rounded_to_float(Rows rows) {
  for (double& s : rows.score) s = static_cast<double>(static_cast<float>(s));
  return rows;
}

// At the optimum the means of ln c and ln(1 - c) are those of the distribution.
TEST(fit_beta_scores, matches_the_two_mean_logarithms) {
  const std::vector<double> s = {0.2, 0.5, 0.55, 0.7, 0.9, 0.97, 0.999};
  const BetaFit fit = must(fit_beta_scores(ordered(scores(s))));
  double log_c = 0, log_u = 0;
  for (const double c : s) log_c += std::log(c) / 7, log_u += std::log(1 - c) / 7;
  using boost::math::digamma;
  EXPECT_NEAR(digamma(fit.alpha) - digamma(fit.alpha + fit.beta), log_c, 1e-12);
  EXPECT_NEAR(digamma(fit.beta) - digamma(fit.alpha + fit.beta), log_u, 1e-12);
  EXPECT_EQ(fit.status, FitStatus::converged);
  EXPECT_EQ(fit.rows, 7);
}

TEST(fit_beta_scores, recovers_a_known_truth_within_three_standard_errors) {
  for (const char* name : {"resnet110_c10", "densenet40_c100", "densenet161_imgnet"}) {
    const Truth truth = must(model(name));
    const BetaFit fit = must(fit_beta_scores(ordered(drawn(truth, 1000000, 1))));
    EXPECT_LT(std::abs(fit.alpha - truth.scores.alpha), 3 * fit.alpha_error) << name;
    EXPECT_LT(std::abs(fit.beta - truth.scores.beta), 3 * fit.beta_error) << name;
    EXPECT_LT(fit.alpha_error, 0.01 * fit.alpha) << name;
    EXPECT_LT(fit.beta_error, 0.01 * fit.beta) << name;
    EXPECT_NEAR(fit.high / fit.rows, 0.3, 0.3) << name;
  }
}

// The spread of 200 fits is what their standard errors say.
TEST(fit_beta_scores, has_honest_standard_errors) {
  const Truth truth = must(model("resnet110_c10"));
  double sum = 0, square = 0, claimed = 0;
  const int m = 200;
  for (int i = 0; i < m; ++i) {
    const BetaFit fit = must(fit_beta_scores(ordered(drawn(truth, 1000, static_cast<std::uint64_t>(100 + i)))));
    sum += fit.beta / m;
    square += fit.beta * fit.beta / m;
    claimed += fit.beta_error / m;
  }
  EXPECT_NEAR(std::sqrt(square - sum * sum) / claimed, 1, 0.2);  // sd of a sd of 200: 5%
}

TEST(fit_beta_scores, treats_both_ends_alike) {
  Rows rows = drawn(
      {.scores = {.kind = ScoreKind::beta, .alpha = 1.5, .beta = 0.1}, .curve = must(model("resnet110_c10")).curve},
      5000, 3);
  const BetaFit up = must(fit_beta_scores(ordered(rows)));
  for (double& s : rows.score) s = 1 - s;
  const BetaFit down = must(fit_beta_scores(ordered(rows)));
  EXPECT_GT(up.high, 100);
  EXPECT_EQ(up.high, down.low);
  EXPECT_NEAR(up.alpha, down.beta, 1e-9);
  EXPECT_NEAR(up.beta, down.alpha, 1e-10);
  EXPECT_NEAR(up.alpha_error, down.beta_error, 1e-9);
}

TEST(fit_beta_scores, does_not_care_about_row_order_or_repetition) {
  const BetaFit once = must(fit_beta_scores(ordered(weighted({0.3, 0.8, 0.9, 1}, {1, 2, 3, 4}))));
  const BetaFit rows = must(fit_beta_scores(ordered(scores({1, 0.9, 0.8, 1, 0.9, 0.3, 1, 0.9, 0.8, 1}))));
  EXPECT_EQ(once.alpha, rows.alpha);
  EXPECT_EQ(once.beta, rows.beta);
  EXPECT_EQ(once.alpha_error, rows.alpha_error);
}

TEST(fit_beta_scores, does_not_depend_on_the_precision_of_the_scores) {
  const Rows rows = drawn(must(model("resnet110_c10")), 20000, 5);
  const BetaFit wide = must(fit_beta_scores(ordered(rows))),
                narrow = must(fit_beta_scores(ordered(rounded_to_float(rows))));
  EXPECT_NEAR(wide.alpha, narrow.alpha, 0.15 * wide.alpha_error);
  EXPECT_NEAR(wide.beta, narrow.beta, 0.15 * wide.beta_error);
  // which the paper's rule does
  const BetaFit wide_shift = must(fit_beta_scores(ordered(rows), Saturated::shift));
  const BetaFit narrow_shift = must(fit_beta_scores(ordered(rounded_to_float(rows)), Saturated::shift));
  EXPECT_GT(std::abs(wide_shift.beta - narrow_shift.beta), 5 * wide.beta_error);
}

TEST(fit_beta_scores, says_when_there_is_nothing_to_fit) {
  EXPECT_EQ(fit_beta_scores(ordered(scores({0.7, 0.7, 0.7}))).error().code, Errc::undefined);
  EXPECT_EQ(fit_beta_scores(ordered(scores({1, 1, 1 - 1e-9, 0}))).error().code, Errc::undefined);
  EXPECT_EQ(fit_beta_scores(ordered(scores({0.7, 0.7 + 1e-9}))).error().code, Errc::undefined);
  EXPECT_TRUE(fit_beta_scores(ordered(scores({0.7, 1}))));
  EXPECT_TRUE(fit_beta_scores(ordered(scores({0.4, 0.41}))));
}

}  // namespace
}  // namespace tare::detail::simulate
