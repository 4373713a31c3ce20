// What is applied to a column in vectors has the bits of what is written into headers, one row at a time.
#include "tare/fit/rows/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "support/targets.hpp"

namespace {

namespace rows = tare::detail::fit::rows;
using tare::detail::Recipe;

// Five million numbers, through every function that maps are made of.
TEST(columns, numbers_have_the_same_bits_in_vectors) {
  const std::size_t n = 1'000'003;
  std::mt19937_64 bits(4);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> z(n), odds(n), out(n);
  for (std::size_t i = 0; i < n; ++i) {
    z[i] = (uniform(bits) - 0.5) * std::exp(14 * uniform(bits) - 6);
    odds[i] = std::exp((uniform(bits) - 0.5) * 1400);
  }
  const auto same = [&](const std::vector<double>& in, auto kernel, auto function) {
    std::size_t differ = 0;
    out = in;
    kernel(out);
    for (std::size_t i = 0; i < n; ++i) differ += out[i] != function(in[i]);
    EXPECT_EQ(differ, 0U);
  };
  tare::detail::testing::for_targets([&](const char* target) {
    SCOPED_TRACE(target);
    same(
        z, [n](auto& x) { rows::sigma_rows(x.data(), n, x.data()); }, [](double x) { return rows::sigma(x); });
    same(
        odds, [n](auto& x) { rows::take_log_of_odds(x.data(), n); }, [](double x) { return rows::log_of_odds(x); });
    std::vector<double> log_p(n);
    for (std::size_t i = 0; i < n; ++i) log_p[i] = -std::abs(z[i]);
    same(
        log_p, [n](auto& x) { rows::take_class_probabilities(x.data(), n); },
        [](double x) { return rows::class_probability(x); });
    same(
        log_p, [n](auto& x) { rows::take_class_odds(x.data(), n); }, [](double x) { return rows::class_odds(x); });
    same(
        z, [n](auto& x) { rows::beta_rows(x.data(), n, 0.7, 1.3, 0.2, x.data()); },
        [](double x) { return rows::sigma(rows::beta_log_odds(x, 0.7, 1.3, 0.2)); });
  });
}

// Numbers near and far, the ends, and those beyond which nothing is normal.
template <class T>
std::vector<T> drawn_column(std::size_t n, bool probabilities) {
  using Limits = std::numeric_limits<T>;
  std::mt19937_64 bits(n);
  std::normal_distribution<double> normal(0, 4);
  std::vector<T> out;
  for (const T x :
       {T(0), T(1), Limits::min(), Limits::denorm_min(), Limits::min() / 2, T(0.5), T(1) - Limits::epsilon()})
    out.push_back(x);
  if (!probabilities)
    for (const T x : {T(-0.0), T(-746), T(750), T(-1e6), Limits::max(), Limits::lowest()}) out.push_back(x);
  while (out.size() < n) {
    const double z = normal(bits) * (bits() % 8 == 0 ? 30 : 1);
    out.push_back(static_cast<T>(probabilities ? 1 / (1 + std::exp(-z)) : z));
  }
  return out;
}

// Softmax of all features, as for any number of classes.
template <class T>
double by_softmax(T x, bool probabilities, const Recipe::Affine& map) {
  double features[2], out[2];
  if (map.features == Recipe::Features::log_probabilities)
    rows::log_features(&x, 1, probabilities, features);
  else if (map.features == Recipe::Features::exact_logarithms && probabilities)
    rows::exact_log_features(&x, 1, features);
  else
    rows::logit_features(&x, 1, probabilities, features);
  rows::affine(features, 2, map.w.data(), map.w.size(), map.b.data(), out);
  rows::softmax(out, 2);
  return out[1];
}

template <class T>
void compare_column(std::size_t n, bool probabilities) {
  const auto in = drawn_column<T>(n, probabilities);
  std::vector<double> many(in.size()), one;
  const auto same = [&](const char* what, const auto& function) {
    one.clear();
    for (const T x : in) one.push_back(function(x));
    EXPECT_EQ(many, one) << what << " of " << n;
  };
  if (probabilities) {
    rows::log_odds_rows(in.data(), in.size(), many.data());
    same("log-odds", [](T p) { return rows::log_odds(static_cast<double>(p)); });
  } else {
    rows::sigma_rows(in.data(), in.size(), many.data());
    same("sigma", [](T z) { return rows::sigma(static_cast<double>(z)); });
    rows::sigmoid_rows(in.data(), in.size(), 0.7, -0.2, many.data());
    same("sigmoid", [](T z) { return rows::sigmoid_curve(static_cast<double>(z), 0.7, -0.2); });
    rows::beta_rows(in.data(), in.size(), 0.7, 1.3, 0.2, many.data());
    same("beta", [](T z) { return rows::sigma(rows::beta_log_odds(static_cast<double>(z), 0.7, 1.3, 0.2)); });
  }
  const std::vector<double> b{0.3, -0.1};
  for (const Recipe::Features features :
       {Recipe::Features::logits, Recipe::Features::log_probabilities, Recipe::Features::exact_logarithms})
    for (const std::vector<double>& w :
         std::vector<std::vector<double>>{{}, {1.4}, {0.8, 1.1}, {0.8, -0.3, 0.1, 1.2}}) {
      const Recipe::Affine map{features, w, b};
      rows::affine_column(in.data(), in.size(), probabilities, rows::ColumnMap(map), many.data());
      same("affine", [&](T x) { return by_softmax(x, probabilities, map); });
    }
}

TEST(columns, kernels_have_the_bits_of_single_rows_on_every_instruction_set) {
  tare::detail::testing::for_targets([](const char* target) {
    SCOPED_TRACE(target);
    for (const bool probabilities : {false, true})
      for (const std::size_t n : {1u, 31u, 32u, 33u, 71u, 1024u, 3001u}) {
        compare_column<double>(n, probabilities);
        compare_column<float>(n, probabilities);
      }
  });
}

TEST(columns, pieces_have_the_bits_of_one_line_on_every_instruction_set) {
  const std::vector<double> x{0.1, 0.15, 0.5, 0.7, 0.95}, y{0.05, 0.2, 0.2, 0.6, 1};
  std::vector<rows::Piece> pieces;
  for (std::size_t i = 1; i < x.size(); ++i) pieces.push_back({x[i - 1], x[i] - x[i - 1], y[i - 1], y[i]});
  tare::detail::testing::for_targets([&](const char* target) {
    SCOPED_TRACE(target);
    for (const std::size_t n : {1u, 3u, 8u, 9u, 100u}) {
      std::mt19937_64 bits(n);
      std::uniform_real_distribution<double> uniform(0.1, 0.95);
      std::vector<double> score(n), out(n), wanted(n);
      std::vector<std::uint32_t> place(n);
      for (std::size_t i = 0; i < n; ++i) {
        score[i] = uniform(bits);
        const auto right = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), score[i]) - x.begin());
        place[i] = static_cast<std::uint32_t>(right - 1);
        wanted[i] = rows::on_line(x.data(), y.data(), x.size(), right, score[i]);
      }
      rows::on_pieces(score.data(), place.data(), n, pieces.data(), out.data());
      EXPECT_EQ(out, wanted) << n;
    }
  });
}

}  // namespace
