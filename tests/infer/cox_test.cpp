#include "tare/infer/tests/classical.hpp"

#include "infer/support.hpp"
#include "support/golden.hpp"

namespace {

using tare::detail::infer::cox_intercept;
using tare::detail::infer::cox_slope;
using tare::detail::testing::golden_rows;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

double logit(double p) { return std::log(p / (1 - p)); }

Rows two_scores() {  // 3 of 10 hits at 0.2, 6 of 10 at 0.8
  Rows rows;
  for (int i = 0; i < 10; ++i) {
    rows.score.push_back(0.2);
    rows.label.push_back(i < 3);
    rows.score.push_back(0.8);
    rows.label.push_back(i < 6);
  }
  return rows;
}

// Two different scores: the line goes through both observed log-odds.
TEST(cox_slope, of_two_scores_on_paper) {
  EXPECT_NEAR(must(cox_slope(two_scores().view())), (logit(0.6) - logit(0.3)) / (logit(0.8) - logit(0.2)), 1e-12);
}

TEST(cox_intercept, of_one_score_on_paper) {
  const Rows rows{std::vector<double>(10, 0.2), {1, 1, 1, 0, 0, 0, 0, 0, 0, 0}};
  EXPECT_NEAR(must(cox_intercept(rows.view())), logit(0.3) - logit(0.2), 1e-12);
}

// SciPy 1.17: roots of the score equations (optimize.root, optimize.brentq) on tests/golden/data.csv, rows with a score
// of exactly 0 or 1 left out. The third data set has misses at log-odds above 30.
TEST(cox, agrees_with_another_programs_maximum_likelihood) {
  const auto slope = [](const char* name) { return must(cox_slope(golden_rows(name).view())); };
  const auto intercept = [](const char* name) { return must(cox_intercept(golden_rows(name).view())); };
  EXPECT_NEAR(slope("d08_n100_uniform_c2"), 1.7224405939939218, 1e-10);
  EXPECT_NEAR(slope("d09_n200_beta_c10_perfect"), 1.061851652638837, 1e-10);
  EXPECT_NEAR(slope("d10_n1000_resnet110_c10_fit"), 0.3873582545035278, 1e-10);
  EXPECT_NEAR(slope("d11_n500_ties_2dp"), 1.1723630591480463, 1e-10);
  EXPECT_NEAR(slope("d07_edges"), 1.3967734362764628, 1e-10);
  EXPECT_NEAR(intercept("d08_n100_uniform_c2"), -1.00571214824559, 1e-10);
  EXPECT_NEAR(intercept("d10_n1000_resnet110_c10_fit"), -2.7567000059614077, 1e-10);
  EXPECT_NEAR(intercept("d11_n500_ties_2dp"), -0.7849182371115571, 1e-10);
}

// Far from calibration Newton's full step overshoots.
TEST(cox, finds_the_maximum_from_far_away) {
  Rows rows;
  for (int i = 0; i < 40; ++i) {
    rows.score.push_back(i % 2 ? 1 - 1e-12 : 1e-12);
    rows.label.push_back((i % 2) != (i < 20));  // right and wrong in equal parts
  }
  EXPECT_NEAR(must(cox_slope(rows.view())), 0, 1e-9);
  EXPECT_NEAR(must(cox_intercept(rows.view())), 0, 1e-9);
  rows.label.assign(40, 0);
  rows.label[1] = 1;
  // one hit of 20 at each side would be log-odds of log(1/19): here none at the low side
  EXPECT_FALSE(cox_slope(rows.view()));
  EXPECT_LT(must(cox_intercept(rows.view())), -20);
}

TEST(cox, does_not_exist_without_log_odds_or_where_labels_are_separated) {
  const Rows certain{{0, 1, 1}, {0, 1, 0}};
  EXPECT_FALSE(cox_slope(certain.view()));
  EXPECT_FALSE(cox_intercept(certain.view()));
  const Rows separated{{0.2, 0.3, 0.6, 0.7}, {0, 0, 1, 1}};
  EXPECT_FALSE(cox_slope(separated.view()));
  EXPECT_TRUE(cox_intercept(separated.view()));
  EXPECT_FALSE(cox_slope(Rows{{0.2, 0.3, 0.3, 0.7}, {1, 1, 0, 0}}.view()));  // but for one score, and downwards
  EXPECT_FALSE(cox_intercept(Rows{{0.2, 0.9}, {1, 1}}.view()));
}

TEST(cox, counts_weights_as_frequencies) {
  Rows weighted{{0.2, 0.2, 0.8, 0.8}, {1, 0, 1, 0}, {0.75, 1.75, 1.5, 1}};  // a quarter of two_scores()
  EXPECT_NEAR(must(cox_slope(weighted.view())), must(cox_slope(two_scores().view())), 1e-9);
}

// a = -0.4, b = 0.7 by construction.
TEST(cox, finds_a_known_truth_in_a_large_sample) {
  const auto rows = tare::detail::testing::simulated(
      200'000, 4, [](double s) { return 1 / (1 + std::exp(0.4 - 0.7 * std::log(s / (1 - s)))); });
  EXPECT_NEAR(must(cox_slope(rows.view())), 0.7, 0.02);
}

}  // namespace
