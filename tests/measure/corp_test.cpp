#include "tare/measure/estimators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "measure/small.hpp"
#include "support/golden.hpp"

namespace {

using tare::detail::Estimate;
using tare::detail::measure::corp;
using tare::detail::testing::calibrated;
using tare::detail::testing::golden;
using tare::detail::testing::must;
using tare::detail::testing::parts;
using tare::detail::testing::Rows;

// Labels 0 | 1 0 | 1 are recalibrated to 0, 1/2, 1/2, 1.
TEST(corp, by_hand) {
  const Rows r{{0.1, 0.3, 0.6, 0.8}, {0, 1, 0, 1}};
  const auto e = must(corp(r.view()));
  const double score = (0.01 + 0.49 + 0.36 + 0.04) / 4, best = 0.5 / 4;
  EXPECT_NEAR(e.value, score - best, 1e-15);
  EXPECT_NEAR(parts(e).at("brier_dsc"), 0.25 - best, 1e-15);
  EXPECT_NEAR(parts(e).at("brier_unc"), 0.25, 1e-15);
  EXPECT_NEAR(parts(e).at("log_dsc"), std::log(2) / 2, 1e-15);
  ASSERT_EQ(e.per_bin.size(), 3U);
  EXPECT_DOUBLE_EQ(e.per_bin[1].lower, 0.2);
  EXPECT_DOUBLE_EQ(e.per_bin[1].upper, 0.7);
  EXPECT_EQ(e.per_bin[1].count, 2);
  EXPECT_NEAR(e.per_bin[1].mean_score, 0.45, 1e-14);
  EXPECT_EQ(e.per_bin[1].mean_label, 0.5);
  EXPECT_EQ(e.per_bin[0].lower, 0);
  EXPECT_EQ(e.per_bin[2].upper, 1);
}

// scikit-learn 1.7 IsotonicRegression for the recalibration, the scores with NumPy.
TEST(corp, matches_isotonic_regression_of_scikit_learn) {
  struct Expected {
    const char* dataset;
    double brier_mcb, brier_dsc, brier_unc, log_mcb, log_dsc, log_unc;
  };
  const std::vector<Expected> all{
      {"d04_n7_ties", 0.02619047619047618, 0.07823129251700678, 0.24489795918367346, 0.07928192217940394,
       0.21207426669985324, 0.6829081047004717},
      {"d08_n100_uniform_c2", 0.059112088904655344, 0.1488809523809524, 0.2275, 0.16778347398622667,
       0.39126444054673304, 0.6474466390346323},
      {"d11_n500_ties_2dp", 0.031319367613668464, 0.09062196761366839, 0.2497439999999999, 0.07968415771100545,
       0.2191677867399584, 0.6926350931428009},
      {"d16_n64_two_values", 0.00394061583577715, 0.09744647521077715, 0.249755859375, 0.011207060438382321,
       0.21019400366735608, 0.6926588198060252},
      {"d20_n16_step", 0.11038025614870658, 0.24609375, 0.24609375, 0.37176959442421176, 0.6853142072764582,
       0.6853142072764582},
  };
  int found = 0;
  for (const auto& c : golden("brier", "", "binary_mean_square"))
    for (const auto& x : all) {
      if (c.dataset != x.dataset) continue;
      ++found;
      const auto p = parts(must(corp(c.rows.view())));
      EXPECT_NEAR(p.at("brier_mcb"), x.brier_mcb, 1e-12) << c.dataset;
      EXPECT_NEAR(p.at("brier_dsc"), x.brier_dsc, 1e-12) << c.dataset;
      EXPECT_NEAR(p.at("brier_unc"), x.brier_unc, 1e-12) << c.dataset;
      EXPECT_NEAR(p.at("log_mcb"), x.log_mcb, 1e-12) << c.dataset;
      EXPECT_NEAR(p.at("log_dsc"), x.log_dsc, 1e-12) << c.dataset;
      EXPECT_NEAR(p.at("log_unc"), x.log_unc, 1e-12) << c.dataset;
    }
  EXPECT_EQ(found, 5);
}

TEST(corp, the_parts_sum_to_the_scores) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Rows r = calibrated(2 + 5 * seed, seed);
    const auto p = parts(must(corp(r.view())));
    const double eps = std::numeric_limits<double>::epsilon();
    EXPECT_NEAR(p.at("brier_mcb") - p.at("brier_dsc") + p.at("brier_unc"),
                must(tare::detail::measure::brier(r.view())).value, eps);
    EXPECT_NEAR(p.at("log_mcb") - p.at("log_dsc") + p.at("log_unc"), must(tare::detail::measure::nll(r.view())).value,
                4 * eps);
    for (const auto& [name, value] : p) EXPECT_GE(value, 0) << name;
  }
}

TEST(corp, forecasts_that_are_their_own_recalibration_have_no_miscalibration) {
  const Rows r{{0.25, 0.25, 0.25, 0.25, 0.75, 0.75, 0.75, 0.75}, {0, 1, 0, 0, 1, 1, 0, 1}};
  const auto p = parts(must(corp(r.view())));
  EXPECT_NEAR(p.at("brier_mcb"), 0, 1e-16);
  EXPECT_NEAR(p.at("log_mcb"), 0, 1e-15);
}

TEST(corp, an_infinite_log_score_leaves_the_brier_parts) {
  const auto e = must(corp(Rows{{0, 0.5, 1}, {1, 0, 1}}.view()));
  EXPECT_EQ(e.parts.size(), 3U);
  EXPECT_EQ(parts(e).count("log_mcb"), 0U);
}

TEST(corp, row_order_and_repetition_do_not_matter) {
  Rows r = calibrated(150, 9);
  for (auto& s : r.score) s = std::round(s * 20) / 20;
  for (std::size_t i = 0; i < r.score.size(); ++i) r.label[i] = r.score[i] == 0 ? 0 : r.score[i] == 1 ? 1 : r.label[i];
  Rows weighted = r;
  const auto before = must(corp(r.view()));
  std::reverse(r.score.begin(), r.score.end());
  std::reverse(r.label.begin(), r.label.end());
  EXPECT_EQ(parts(must(corp(r.view()))), parts(before));
  weighted.weight.assign(150, 2);
  for (std::size_t i = 0; i < 150; ++i) {
    r.score.push_back(r.score[i]);
    r.label.push_back(r.label[i]);
  }
  EXPECT_EQ(parts(must(corp(weighted.view()))), parts(must(corp(r.view()))));
}

// Scores uniform, rate s^2: the miscalibration tends to the integral of (s - s^2)^2, 1/30.
TEST(corp, finds_the_squared_gap_of_a_monotone_curve) {
  const Rows r = tare::detail::testing::simulated(200000, 1, [](double s) { return s * s; });
  EXPECT_NEAR(must(corp(r.view())).value, 1.0 / 30, 0.001);
}

TEST(corp, falls_towards_zero_on_calibrated_scores) {
  EXPECT_LT(must(corp(calibrated(100000, 2).view())).value, 0.001);
}

}  // namespace
