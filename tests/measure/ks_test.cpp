#include "tare/measure/estimators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/golden.hpp"

namespace {

using tare::detail::measure::ks;
using tare::detail::testing::calibrated;
using tare::detail::testing::golden;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

// Running sums of s - y: 0.3, -0.1, 0.5 over 3 rows.
TEST(ks, by_hand) {
  const Rows r{{0.3, 0.6, 0.6}, {0, 1, 0}};
  EXPECT_NEAR(must(ks(r.view())).value, 0.5 / 3, 1e-14);
}

TEST(ks, matches_an_independent_program) {
  for (const auto& c : golden("ks", "", "tie_groups_only"))
    EXPECT_NEAR(must(ks(c.rows.view())).value, *c.value, 1e-12) << c.dataset;
}

// Some programs break ties by random jitter or by row order; then hits first and misses first differ.
TEST(ks, equal_scores_have_no_order) {
  Rows hits_first{std::vector<double>(10, 0.5), {1, 1, 1, 1, 1, 0, 0, 0, 0, 0}};
  Rows misses_first = hits_first;
  std::reverse(misses_first.label.begin(), misses_first.label.end());
  EXPECT_EQ(must(ks(hits_first.view())).value, 0);
  EXPECT_EQ(must(ks(misses_first.view())).value, 0);
}

TEST(ks, is_at_least_the_gap_of_the_means) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Rows r = calibrated(40, seed);
    const double gap = std::abs(std::accumulate(r.score.begin(), r.score.end(), 0.0) -
                                std::accumulate(r.label.begin(), r.label.end(), 0.0)) /
                       40;
    EXPECT_GE(must(ks(r.view())).value, gap - 1e-14);
  }
}

TEST(ks, weight_two_is_the_row_twice) {
  Rows twice = calibrated(30, 5), weighted = twice;
  weighted.weight.assign(30, 1);
  for (std::size_t i = 0; i < 30; i += 3) {
    weighted.weight[i] = 2;
    twice.score.push_back(twice.score[i]);
    twice.label.push_back(twice.label[i]);
  }
  EXPECT_EQ(must(ks(weighted.view())).value, must(ks(twice.view())).value);
}

// Calibrated, uniform scores: sqrt(n) ks tends to the supremum of a Brownian motion run to time 1/6.
// E sup |B| over [0, 1] is sqrt(pi/2), so the mean is sqrt(pi/12) / sqrt(n), here 0.00809.
TEST(ks, has_the_known_mean_on_calibrated_scores) {
  double sum = 0;
  const int m = 400;
  for (int seed = 0; seed < m; ++seed) sum += must(ks(calibrated(4000, static_cast<std::uint64_t>(seed)).view())).value;
  EXPECT_NEAR(sum / m, std::sqrt(3.14159265358979 / 12 / 4000), 0.0006);
}

}  // namespace
