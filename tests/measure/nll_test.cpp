#include "tare/measure/estimators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/small.hpp"
#include "support/golden.hpp"

namespace {

using tare::detail::Kind;
using tare::detail::measure::nll;
using tare::detail::measure::nll_matrix;
using tare::detail::testing::golden;
using tare::detail::testing::matrix;
using tare::detail::testing::must;
using tare::detail::testing::Rows;
using tare::detail::testing::six_labels;
using tare::detail::testing::six_logits;

TEST(nll, by_hand) {
  const Rows r{{0.5, 0.25}, {1, 0}};
  const auto e = must(nll(r.view()));
  const double a = std::log(2), b = std::log(4.0 / 3);
  EXPECT_DOUBLE_EQ(e.value, (a + b) / 2);
  EXPECT_NEAR(*e.se, (a - b) / 2, 1e-15);  // two values: sd = |a - b| / sqrt 2
}

TEST(nll, matches_an_independent_program) {
  for (const auto& c : golden("nll", "", "exact")) {
    if (c.value && std::isfinite(*c.value))
      EXPECT_NEAR(must(nll(c.rows.view())).value, *c.value, 1e-12) << c.dataset;
    else
      EXPECT_EQ(nll(c.rows.view()).error().code, tare::detail::Errc::undefined) << c.dataset;
  }
}

// Other programs clip at 1e-7, 1e-12, 1e-15, 2.2e-16 ... and report a number that says only which.
TEST(nll, is_undefined_where_it_is_infinite_and_counts_the_rows) {
  const Rows r{{0, 1, 1, 0.5}, {1, 0, 0, 1}};
  const auto error = nll(r.view()).error();
  EXPECT_EQ(error.code, tare::detail::Errc::undefined);
  EXPECT_NE(error.what.find("3 rows give probability 0 to what happened"), std::string::npos) << error.what;
  EXPECT_NE(error.what.find("score 0 with label 1"), std::string::npos);
  EXPECT_NE(error.what.find("score 1 with label 0"), std::string::npos);

  const Rows one{{1, 0.5}, {0, 1}};
  EXPECT_NE(nll(one.view()).error().what.find("1 row gives"), std::string::npos);
}

TEST(nll, a_sure_hit_costs_nothing) {
  const auto e = must(nll(Rows{{1, 0}, {1, 0}}.view()));
  EXPECT_EQ(e.value, 0);
}

TEST(nll, does_not_clip_the_smallest_score) {
  const double tiny = std::numeric_limits<double>::denorm_min();  // 2^-1074
  EXPECT_DOUBLE_EQ(must(nll(Rows{{tiny, 1 - 0x1p-53}, {1, 0}}.view())).value, (1074 + 53) * std::log(2) / 2);
}

TEST(nll, keeps_its_precision_when_every_loss_is_tiny) {
  const double eps = 0x1p-40;
  EXPECT_NEAR(must(nll(Rows{{eps, eps / 2}, {0, 0}}.view())).value / (0.75 * eps), 1, 1e-12);
}

TEST(nll, row_order_and_repetition_do_not_matter) {
  Rows r = tare::detail::testing::calibrated(200, 4), weighted = r;
  const auto before = must(nll(r.view()));
  std::reverse(r.score.begin(), r.score.end());
  std::reverse(r.label.begin(), r.label.end());
  EXPECT_EQ(must(nll(r.view())).value, before.value);
  EXPECT_EQ(*must(nll(r.view())).se, *before.se);

  weighted.weight.assign(200, 1);
  weighted.weight[17] = 3;
  r = tare::detail::testing::calibrated(200, 4);
  for (int twice = 0; twice < 2; ++twice) {
    r.score.push_back(r.score[17]);
    r.label.push_back(r.label[17]);
  }
  EXPECT_EQ(must(nll(weighted.view())).value, must(nll(r.view())).value);
}

// The mean of se over samples is the spread of the estimate over samples.
TEST(nll, the_standard_error_is_its_spread) {
  double sum = 0, square = 0, se = 0;
  const int m = 1000;
  for (int seed = 0; seed < m; ++seed) {
    const auto e = must(nll(tare::detail::testing::calibrated(500, static_cast<std::uint64_t>(seed)).view()));
    sum += e.value;
    square += e.value * e.value;
    se += *e.se;
  }
  EXPECT_NEAR(sum / m, 0.5, 0.003);  // integral of the entropy of a uniform probability
  EXPECT_NEAR(se / m / std::sqrt(square / m - sum / m * sum / m), 1, 0.08);
}

// NumPy: -log(softmax(z))[label], mean and std(ddof=1)/sqrt(6).
TEST(nll_matrix, matches_numpy) {
  const auto e = must(nll_matrix(matrix(Kind::logits, six_logits, 3, six_labels)));
  EXPECT_NEAR(e.value, 0.6047115408529437, 1e-14);
  EXPECT_NEAR(*e.se, 0.19293413611122434, 1e-14);
}

TEST(nll_matrix, of_probabilities_is_minus_log_of_the_label) {
  const auto e = must(nll_matrix(matrix(Kind::probs, {0.5, 0.25, 0.25, 0.125, 0.75, 0.125}, 3, {0, 2})));
  EXPECT_DOUBLE_EQ(e.value, (1 + 3) * std::log(2) / 2);
}

TEST(nll_matrix, one_column_is_the_log_odds_or_the_probability_of_class_one) {
  const auto z = must(nll_matrix(matrix(Kind::logits, {0, std::log(3), -800}, 1, {1, 0, 1})));
  EXPECT_NEAR(z.value, (std::log(2) + std::log(4) + 800) / 3, 1e-12);
  const auto p = must(nll_matrix(matrix(Kind::probs, {0.5, 0.75}, 1, {1, 0})));
  EXPECT_DOUBLE_EQ(p.value, (std::log(2) + std::log(4)) / 2);
}

// exp(-z) overflows at 710 where it is not shifted by the largest logit.
TEST(nll_matrix, survives_absurd_logits) {
  const auto e = must(nll_matrix(matrix(Kind::logits, {1e6, 0, 0, -1e6}, 2, {1, 1})));
  EXPECT_DOUBLE_EQ(e.value, 1e6);
}

TEST(nll_matrix, counts_a_loss_of_2_to_the_20_as_infinite) {
  const double edge = 0x1p20, most = std::numeric_limits<double>::max();
  EXPECT_DOUBLE_EQ(must(nll_matrix(matrix(Kind::logits, {edge - 1, 0}, 2, {1}))).value, edge - 1);
  for (const double z : {edge, 3.4e38, 1e160, 1e307, 1e308, most}) {
    const auto error = nll_matrix(matrix(Kind::logits, {z, 0, 1, 2, -z, z}, 2, {1, 1, 0})).error();
    EXPECT_EQ(error.code, tare::detail::Errc::undefined) << z;
    EXPECT_NE(error.what.find("2 rows give probability 0 to what happened"), std::string::npos) << error.what;
  }
}

TEST(nll_matrix, counts_probabilities_of_zero) {
  const auto error = nll_matrix(matrix(Kind::probs, {1, 0, 0, 1, 0.5, 0.5}, 2, {1, 0, 0})).error();
  EXPECT_EQ(error.code, tare::detail::Errc::undefined);
  EXPECT_NE(error.what.find("2 rows give probability 0"), std::string::npos) << error.what;
}

TEST(nll_matrix, threads_and_weights_do_not_change_a_bit) {
  std::mt19937_64 rng(2);
  std::normal_distribution<double> normal(0, 3);
  const std::size_t n = 20000, k = 4;
  std::vector<double> z(n * k), weight(n, 1);
  std::vector<std::int32_t> y(n);
  for (auto& x : z) x = normal(rng);
  for (auto& l : y) l = static_cast<std::int32_t>(rng() % k);
  weight[7] = 2;
  const auto one = must(nll_matrix(matrix(Kind::logits, z, k, y, weight), {}, 1));
  const auto two = must(nll_matrix(matrix(Kind::logits, z, k, y, weight), {}, 2));
  EXPECT_EQ(one.value, two.value);
  EXPECT_EQ(*one.se, *two.se);
  for (std::size_t j = 0; j < k; ++j) z.push_back(z[7 * k + j]);
  y.push_back(y[7]);
  EXPECT_EQ(must(nll_matrix(matrix(Kind::logits, z, k, y))).value, one.value);
}

}  // namespace
