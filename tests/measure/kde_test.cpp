#include "tare/measure/estimators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/golden.hpp"

namespace {

using tare::detail::Errc;
using tare::detail::measure::kde;
using tare::detail::testing::calibrated;
using tare::detail::testing::golden;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

TEST(kde, matches_zhangs_program) {
  for (const auto& c : golden("ece_kde", "", "zhang_rooted")) {
    const auto e = kde(c.rows.view(), {.norm = c.norm});
    // scores of the hits that coincide: the reference fails, or divides rounding by rounding and exceeds 1
    if (!c.value || *c.value > 1)
      EXPECT_FALSE(e) << c.dataset;
    else
      EXPECT_NEAR(must(e).value / *c.value, 1, 1e-5) << c.dataset << " " << c.norm;
  }
  for (const auto& c : golden("ece_kde", "", "zhang_raw_integral"))
    if (c.value && *c.value <= 1) {
      EXPECT_NEAR(must(kde(c.rows.view(), {.norm = c.norm, .rooted = false})).value / *c.value, 1, 1e-5)
          << c.dataset << " " << c.norm;
    }
}

// From the definition, every kernel summed on its own at the points of the grid.
double direct(const Rows& r, int norm) {
  const std::size_t n = r.score.size();
  std::vector<double> hit;
  for (std::size_t i = 0; i < n; ++i)
    if (r.label[i]) hit.push_back(r.score[i]);
  double mean = 0, variance = 0;
  for (const double s : hit) mean += s / static_cast<double>(hit.size());
  for (const double s : hit) variance += (s - mean) * (s - mean) / static_cast<double>(hit.size());
  const double radius = 3 * std::sqrt(variance) * std::pow(2.0 * static_cast<double>(n), -0.2);
  const auto density = [&](const std::vector<double>& points, double x) {
    double sum = 0;
    for (const double c : points)
      for (const double image : {c, c < 0.5 ? -c : 2 - c}) {
        const double u = (x - image) / radius;
        if (std::abs(u) < 1) sum += 35.0 / 32 * std::pow(1 - u * u, 3) / radius;
      }
    return sum / static_cast<double>(points.size());
  };
  double error = 0, total = 0;
  for (int i = 0; i < 1 << 14; ++i) {
    const double x = -0.6 + 2.2 * i / ((1 << 14) - 1);
    if (x <= 0 || x >= 1) continue;
    const double step = 2.2 / ((1 << 14) - 1), d = density(r.score, x);
    if (d < 1e-9) continue;
    const double weight = x < step || x > 1 - step ? 0.5 : 1;  // trapezoid
    const double accuracy = static_cast<double>(hit.size()) / static_cast<double>(n) * density(hit, x) / d;
    error += weight * std::pow(std::abs(x - std::min(accuracy, 1.0)), norm) * d;
    total += weight * d;
  }
  return std::pow(error / total, 1.0 / norm);
}

TEST(kde, is_the_sum_of_kernels) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Rows r = tare::detail::testing::simulated(60, seed, [](double s) { return s * s; });
    for (const int norm : {1, 2}) EXPECT_NEAR(must(kde(r.view(), {.norm = norm})).value / direct(r, norm), 1, 1e-5);
  }
}

TEST(kde, is_undefined_without_spread_among_the_hits) {
  EXPECT_EQ(kde(Rows{{0.2, 0.4}, {0, 0}}.view()).error().code, Errc::undefined);
  EXPECT_EQ(kde(Rows{{0.2, 0.4}, {0, 1}}.view()).error().code, Errc::undefined);
  EXPECT_EQ(kde(Rows{{0.2, 0.7, 0.7, 0.7}, {0, 1, 1, 1}}.view()).error().code, Errc::undefined);
  // 1e-9 apart: far below what the grid resolves
  EXPECT_EQ(kde(Rows{{0.2, 0.7, 0.7 + 1e-9}, {0, 1, 1}}.view()).error().code, Errc::undefined);
}

TEST(kde, scores_at_both_ends_are_on_the_grid) {
  const auto e = must(kde(Rows{{0, 0, 0.5, 1, 1}, {0, 1, 1, 1, 1}}.view()));
  EXPECT_GT(e.value, 0);
  EXPECT_LE(e.value, 1);
}

TEST(kde, row_order_and_repetition_do_not_matter) {
  Rows r = calibrated(80, 6);
  const double before = must(kde(r.view())).value;
  std::reverse(r.score.begin(), r.score.end());
  std::reverse(r.label.begin(), r.label.end());
  EXPECT_EQ(must(kde(r.view())).value, before);
  Rows weighted = r;
  weighted.weight.assign(80, 1);
  weighted.weight[3] = 2;
  r.score.push_back(r.score[3]);
  r.label.push_back(r.label[3]);
  EXPECT_EQ(must(kde(weighted.view())).value, must(kde(r.view())).value);
}

TEST(kde, rejects_other_norms) { EXPECT_EQ(kde(calibrated(10, 1).view(), {.norm = 3}).error().code, Errc::bad_option); }

// Uniform scores with rate s^2: l1 error 1/6, l2 error sqrt(1/30).
TEST(kde, finds_the_error_of_a_known_curve) {
  const Rows r = tare::detail::testing::simulated(200000, 1, [](double s) { return s * s; });
  EXPECT_NEAR(must(kde(r.view(), {.norm = 1})).value, 1.0 / 6, 0.004);
  EXPECT_NEAR(must(kde(r.view(), {.norm = 2})).value, std::sqrt(1.0 / 30), 0.004);
}

TEST(kde, falls_towards_zero_on_calibrated_scores) {
  const double small = must(kde(calibrated(300, 2).view())).value,
               large = must(kde(calibrated(100000, 2).view())).value;
  EXPECT_LT(large, small / 4);
  EXPECT_LT(large, 0.01);
}

}  // namespace
