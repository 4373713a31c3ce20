#include "tare/measure/estimators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "support/golden.hpp"

namespace {

using tare::detail::measure::smece;
using tare::detail::testing::calibrated;
using tare::detail::testing::golden;
using tare::detail::testing::must;
using tare::detail::testing::Rows;

// The definition, without grids for the data and without sharing anything with the library: the sum of
// reflected kernels of all rows at every point of a fine mesh, split at sign changes.
double smooth_ece(const Rows& r, double sigma) {
  const int steps = 40000;
  const auto n = static_cast<double>(r.score.size());
  const int images = static_cast<int>(std::ceil(5 * sigma)) + 1;
  std::vector<double> f(steps + 1, 0.0);
  const auto add = [&](double centre, double weight) {
    const double reach = 9 * sigma;
    const int from = std::max(0, static_cast<int>(std::ceil((centre - reach) * steps)));
    const int to = std::min(steps, static_cast<int>(std::floor((centre + reach) * steps)));
    for (int i = from; i <= to; ++i) {
      const double u = (static_cast<double>(i) / steps - centre) / sigma;
      f[static_cast<std::size_t>(i)] += weight * std::exp(-u * u / 2) / (sigma * std::sqrt(2 * 3.14159265358979323846));
    }
  };
  for (std::size_t i = 0; i < r.score.size(); ++i)
    for (int k = -images; k <= images; ++k) {
      add(r.score[i] + 2 * k, (r.label[i] - r.score[i]) / n);
      add(-r.score[i] + 2 * k, (r.label[i] - r.score[i]) / n);
    }
  double sum = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    const double a = f[i], b = f[i + 1];
    sum += (a < 0) == (b < 0) ? std::abs(a + b) / 2 : (a * a + b * b) / (2 * (std::abs(a) + std::abs(b)));
  }
  return sum / steps;
}

// smooth_ece(sigma) - sigma falls at least as fast as sigma rises, so its value at sigma bounds the distance
// of sigma from the fixed point.
void expect_fixed_point(const Rows& r, double sigma, const std::string& what) {
  EXPECT_NEAR(smooth_ece(r, sigma), sigma, 1e-7) << what;
}

// One row, and residuals of one sign: smoothing keeps the mass, so the value is |mean residual|.
TEST(smece, is_the_mean_residual_when_all_have_one_sign) {
  EXPECT_NEAR(must(smece(Rows{{0.7}, {1}}.view())).value, 0.3, 1e-9);
  EXPECT_NEAR(must(smece(Rows{{0.1, 0.5, 0.9}, {0, 0, 0}}.view())).value, 0.5, 1e-9);
}

// An end of [0, 1] is its own mirror image; a kernel there must keep all of its mass.
TEST(smece, keeps_the_mass_of_scores_at_the_ends) {
  EXPECT_NEAR(must(smece(Rows{{1, 1}, {0, 0}}.view())).value, 1, 1e-9);
  EXPECT_NEAR(must(smece(Rows{{0, 0, 0, 0}, {1, 0, 0, 0}}.view())).value, 0.25, 1e-9);
}

TEST(smece, is_zero_when_every_score_is_its_rate) {
  EXPECT_EQ(must(smece(Rows{{0.5, 0.5}, {0, 1}}.view())).value, 0);
  EXPECT_EQ(must(smece(Rows{{0, 1}, {0, 1}}.view())).value, 0);
}

TEST(smece, agrees_with_the_definition) {
  for (const auto& c : golden("brier", "", "binary_mean_square")) {
    expect_fixed_point(c.rows, must(smece(c.rows.view())).value, c.dataset);
  }
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Rows r = calibrated(400, seed);
    expect_fixed_point(r, must(smece(r.view())).value, "calibrated");
  }
}

// Confidences of a network: most of the mass close to 1.
TEST(smece, agrees_with_the_definition_where_scores_pile_up) {
  Rows r = calibrated(600, 11);
  for (auto& s : r.score) s = 1 - std::pow(s, 12);
  std::mt19937_64 rng(5);
  for (std::size_t i = 0; i < 600; ++i) r.label[i] = std::uniform_real_distribution<double>()(rng) < r.score[i];
  expect_fixed_point(r, must(smece(r.view())).value, "piled up");
}

// More distinct scores than the gathering grid has nodes.
TEST(smece, agrees_with_the_definition_on_many_rows) {
  const Rows r = calibrated(20000, 3);
  expect_fixed_point(r, must(smece(r.view())).value, "many");
}

// relplot 1.0.3, smECE with return_width: it halves ten times, so its value and its width enclose the fixed point
// up to its mesh of 200 points. (Where the width exceeds 0.2 it cuts its kernel off; those sets are left out.)
TEST(smece, lies_between_relplots_value_and_width) {
  const std::map<std::string, std::pair<double, double>> relplot{
      {"d04_n7_ties", {0.1228585687659801, 0.1240234375}},
      {"d08_n100_uniform_c2", {0.15724354757490122, 0.158203125}},
      {"d11_n500_ties_2dp", {0.13759596914325453, 0.1376953125}},
      {"d16_n64_two_values", {0.062495958935454295, 0.0625}},
      {"d20_n16_step", {0.14837528651573922, 0.1484375}}};
  int found = 0;
  for (const auto& c : golden("brier", "", "binary_mean_square")) {
    const auto at = relplot.find(c.dataset);
    if (at == relplot.end()) continue;
    ++found;
    const double value = must(smece(c.rows.view())).value;
    EXPECT_GT(value, at->second.first - 5e-4) << c.dataset;
    EXPECT_LT(value, at->second.second + 5e-4) << c.dataset;
  }
  EXPECT_EQ(found, 5);
}

// No floor of 0.001: a model this good gets the number it deserves.
TEST(smece, can_be_very_small) {
  const std::size_t n = 20000;
  Rows r{std::vector<double>(n, 1 - 1e-5), std::vector<std::uint8_t>(n, 1)};
  EXPECT_NEAR(must(smece(r.view())).value / 1e-5, 1, 1e-6);
  r.score.assign(n, 1 - 1e-9);
  EXPECT_NEAR(must(smece(r.view())).value / 1e-9, 1, 1e-4);
}

// Residuals of both signs, too small for the mesh of smooth_ece above; far apart, none smooths another away at the
// width of the answer, and smECE is the mean absolute residual: here (3 * 2e-5 + 1e-5 + 4e-5) / 40.
TEST(smece, can_be_very_small_with_residuals_of_both_signs) {
  Rows r;
  for (int i = 0; i < 40; ++i) {
    r.score.push_back(i < 3 ? 1 - 2e-5 : i == 3 ? 1e-5 : i == 4 ? 4e-5 : i % 2 == 1 ? 1.0 : 0.0);
    r.label.push_back(i < 3 || (i >= 5 && i % 2 == 1));
  }
  EXPECT_NEAR(must(smece(r.view())).value, 11e-5 / 40, 1e-9);
}

TEST(smece, is_continuous_in_the_scores) {
  const Rows r{{0.5, 0.5, 0.5, 0.5}, {1, 1, 0, 0}};
  const Rows moved{{0.5 + 1e-7, 0.5 + 1e-7, 0.5, 0.5}, {1, 1, 0, 0}};  // binned errors jump from 0 to 0.5 here
  EXPECT_NEAR(must(smece(moved.view())).value, must(smece(r.view())).value, 1e-3);
}

TEST(smece, row_order_and_repetition_do_not_matter) {
  Rows r = calibrated(300, 6);
  const double before = must(smece(r.view())).value;
  std::reverse(r.score.begin(), r.score.end());
  std::reverse(r.label.begin(), r.label.end());
  EXPECT_EQ(must(smece(r.view())).value, before);
  Rows weighted = r;
  weighted.weight.assign(300, 1);
  weighted.weight[3] = 2;
  r.score.push_back(r.score[3]);
  r.label.push_back(r.label[3]);
  EXPECT_EQ(must(smece(weighted.view())).value, must(smece(r.view())).value);
}

TEST(smece, falls_towards_zero_on_calibrated_scores) {
  const double small = must(smece(calibrated(300, 2).view())).value;
  const double large = must(smece(calibrated(300000, 2).view())).value;
  EXPECT_LT(large, small / 5);
}

}  // namespace
