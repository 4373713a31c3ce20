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
using tare::detail::Kind;
using tare::detail::measure::brier;
using tare::detail::measure::brier_matrix;
using tare::detail::testing::calibrated;
using tare::detail::testing::golden;
using tare::detail::testing::matrix;
using tare::detail::testing::must;
using tare::detail::testing::parts;
using tare::detail::testing::Rows;
using tare::detail::testing::six_labels;
using tare::detail::testing::six_logits;

void expect_identity(const Estimate& e) {
  const auto p = parts(e);
  const double sum = p.at("reliability") - p.at("resolution") + p.at("uncertainty") + p.at("within_bin");
  EXPECT_NEAR(sum, e.value, 2 * std::numeric_limits<double>::epsilon() * std::max(1.0, p.at("uncertainty")));
}

// Two bins: scores 0.2 (labels 0 0 1 0) and 0.8 (1 1 0 1).
TEST(brier, by_hand) {
  const Rows r{{0.2, 0.2, 0.2, 0.2, 0.8, 0.8, 0.8, 0.8}, {0, 0, 1, 0, 1, 1, 0, 1}};
  const auto e = must(brier(r.view(), {.bins = 2}));
  EXPECT_NEAR(e.value, (3 * 0.04 + 0.64) / 4, 1e-15);
  const auto p = parts(e);
  EXPECT_NEAR(p.at("reliability"), 0.0025, 1e-14);
  EXPECT_NEAR(p.at("resolution"), 0.0625, 1e-15);
  EXPECT_NEAR(p.at("uncertainty"), 0.25, 1e-15);
  EXPECT_NEAR(p.at("within_bin"), 0, 1e-15);  // one score per bin
  expect_identity(e);
}

TEST(brier, matches_an_independent_program) {
  for (const auto& c : golden("brier", "", "binary_mean_square"))
    EXPECT_NEAR(must(brier(c.rows.view())).value, *c.value, 1e-12) << c.dataset;
}

// Stephenson et al. 2008: variance inside the bins less twice the covariance there, from the definition.
TEST(brier, within_bin_is_variance_less_twice_the_covariance) {
  const Rows r = tare::detail::testing::simulated(400, 8, [](double s) { return s * s; });
  const std::size_t b = 7;
  std::vector<double> n(b), f(b), a(b);
  const auto bin = [&](double s) { return tare::detail::numeric::width_bin(s, b); };
  for (std::size_t i = 0; i < 400; ++i) {
    n[bin(r.score[i])] += 1;
    f[bin(r.score[i])] += r.score[i];
    a[bin(r.score[i])] += r.label[i];
  }
  double within = 0;
  for (std::size_t i = 0; i < 400; ++i) {
    const std::size_t k = bin(r.score[i]);
    const double ds = r.score[i] - f[k] / n[k], dy = r.label[i] - a[k] / n[k];
    within += (ds * ds - 2 * ds * dy) / 400;
  }
  EXPECT_NEAR(parts(must(brier(r.view(), {.bins = 7}))).at("within_bin"), within, 1e-13);
}

TEST(brier, the_parts_sum_to_the_score) {
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const int b : {1, 3, 15, 100}) expect_identity(must(brier(calibrated(1 + seed, seed).view(), {.bins = b})));
}

TEST(brier, the_standard_error_is_its_spread) {
  double sum = 0, square = 0, se = 0;
  const int m = 1000;
  for (int seed = 0; seed < m; ++seed) {
    const auto e = must(brier(calibrated(500, static_cast<std::uint64_t>(seed)).view()));
    sum += e.value;
    square += e.value * e.value;
    se += *e.se;
  }
  EXPECT_NEAR(sum / m, 1.0 / 6, 0.001);  // integral of s (1 - s)
  EXPECT_NEAR(se / m / std::sqrt(square / m - sum / m * sum / m), 1, 0.08);
}

TEST(brier, row_order_and_repetition_do_not_matter) {
  Rows r = calibrated(100, 3), weighted = r;
  const auto before = must(brier(r.view()));
  std::reverse(r.score.begin(), r.score.end());
  std::reverse(r.label.begin(), r.label.end());
  const auto after = must(brier(r.view()));
  EXPECT_EQ(after.value, before.value);
  EXPECT_EQ(parts(after), parts(before));

  weighted.weight.assign(100, 2);
  for (std::size_t i = 0; i < 100; ++i) {
    r.score.push_back(r.score[i]);
    r.label.push_back(r.label[i]);
  }
  EXPECT_EQ(must(brier(weighted.view())).value, must(brier(r.view())).value);
  EXPECT_EQ(parts(must(brier(weighted.view()))), parts(must(brier(r.view()))));
}

// NumPy, from the definitions: sum over classes of squared differences; one-against-rest parts, 5 bins (lo, hi].
// The wrong axis in the resolution, a known slip elsewhere, breaks the identity by several percent.
TEST(brier_matrix, matches_numpy) {
  const auto e = must(brier_matrix(matrix(Kind::logits, six_logits, 3, six_labels), {.bins = 5}));
  EXPECT_NEAR(e.value, 0.36456253372562647, 1e-14);
  EXPECT_NEAR(*e.se, 0.14276476093336118, 1e-14);
  EXPECT_NEAR(parts(e).at("reliability"), 0.12264863932500024, 1e-13);
  EXPECT_NEAR(parts(e).at("resolution"), 1.0 / 3, 1e-13);
  EXPECT_NEAR(parts(e).at("uncertainty"), 0.6111111111111112, 1e-13);
  expect_identity(e);
}

TEST(brier_matrix, ranges_from_zero_to_two) {
  EXPECT_EQ(must(brier_matrix(matrix(Kind::probs, {1, 0, 0, 0, 1, 0}, 3, {0, 1}))).value, 0);
  EXPECT_EQ(must(brier_matrix(matrix(Kind::probs, {1, 0, 0, 0, 1, 0}, 3, {1, 2}))).value, 2);
}

// One column and two columns are the same model; the binary score is half of the two-class one.
TEST(brier_matrix, one_column_is_two_classes) {
  const std::vector<double> p{0.3, 0.6, 0.9}, both{0.7, 0.3, 0.4, 0.6, 1 - 0.9, 0.9};
  const std::vector<std::int32_t> y{0, 1, 0};
  const auto one = must(brier_matrix(matrix(Kind::probs, p, 1, y)));
  const auto two = must(brier_matrix(matrix(Kind::probs, both, 2, y)));
  EXPECT_NEAR(one.value, two.value, 1e-15);
  EXPECT_NEAR(one.value, 2 * must(brier(Rows{p, {0, 1, 0}}.view())).value, 1e-15);
  const auto log_odds = must(brier_matrix(matrix(Kind::logits, {std::log(3.0 / 7), std::log(1.5), std::log(9)}, 1, y)));
  EXPECT_NEAR(log_odds.value, one.value, 1e-14);
}

TEST(brier_matrix, threads_weights_and_blocks_of_classes_do_not_change_a_bit) {
  std::mt19937_64 rng(2);
  std::normal_distribution<double> normal(0, 2);
  const std::size_t n = 300, k = 30;
  std::vector<double> z(n * k), weight(n, 1);
  std::vector<std::int32_t> y(n);
  for (auto& x : z) x = normal(rng);
  for (auto& l : y) l = static_cast<std::int32_t>(rng() % k);
  weight[7] = 2;
  const auto one = must(brier_matrix(matrix(Kind::logits, z, k, y, weight), {}, 1));
  const auto three = must(brier_matrix(matrix(Kind::logits, z, k, y, weight), {}, 3));
  EXPECT_EQ(one.value, three.value);
  EXPECT_EQ(parts(one), parts(three));
  for (std::size_t j = 0; j < k; ++j) z.push_back(z[7 * k + j]);
  y.push_back(y[7]);
  EXPECT_EQ(parts(must(brier_matrix(matrix(Kind::logits, z, k, y)))), parts(one));

  // 10000 bins: a block holds 26 of the 30 classes, and scores vary by at most w = 1e-4 inside a bin: of each class
  // the term within bins is at most w^2 / 4 + 2 (w / 2) (1 / 2)
  const auto fine = must(brier_matrix(matrix(Kind::logits, z, k, y), {.bins = 10000}));
  EXPECT_EQ(fine.value, one.value);
  EXPECT_NEAR(parts(fine).at("within_bin"), 0, 30 * (0.25e-8 + 0.5e-4));
}

}  // namespace
