// What no calibrator may depend on: the order of the rows, and the unit of the weights.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "fit/numbers.hpp"
#include "fit/scaled.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

Matrix shuffled(const Matrix& data, std::uint64_t seed) {
  std::vector<std::size_t> order(data.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  Matrix out{.kind = data.kind, .columns = data.columns, .values = {}, .label = {}};
  for (const std::size_t i : order) {
    const auto row = std::span(data.values).subspan(i * data.columns, data.columns);
    out.values.insert(out.values.end(), row.begin(), row.end());
    out.label.push_back(data.label[i]);
    if (!data.weight.empty()) out.weight.push_back(data.weight[i]);
  }
  return out;
}

// One column: log-odds, or the probability of class 1.
Matrix one_column(std::size_t n, Kind kind, std::uint64_t seed) {
  const Matrix two = simulated_logits(n, 2, 2, seed);
  Matrix out{.kind = kind, .columns = 1, .values = {}, .label = two.label};
  for (std::size_t i = 0; i < n; ++i) {
    const double z = two.values[2 * i + 1] - two.values[2 * i];
    out.values.push_back(kind == Kind::logits ? z : 1 / (1 + std::exp(-z)));
  }
  return out;
}

std::vector<Matrix> samples(std::size_t n) {
  std::vector<Matrix> out{one_column(n, Kind::logits, 1), one_column(n, Kind::probs, 2)};
  for (const std::size_t k : {2U, 4U}) {
    out.push_back(simulated_logits(n, k, 2, 3));
    out.push_back(softmaxed(out.back()));
  }
  return out;
}

TEST(invariance, no_bit_depends_on_the_order_of_the_rows) {
  std::mt19937_64 rng(7);
  for (Matrix data : samples(700)) {
    for (const bool weighted : {false, true}) {
      data.weight.clear();
      for (std::size_t i = 0; weighted && i < data.rows(); ++i)
        data.weight.push_back(static_cast<double>(rng() % 1000) / 300);
      for (const fit::Calibrator& row : fit::all()) {
        const std::string name(row.name), first = fit::to_json(fitted(name, data));
        for (const std::uint64_t seed : {1U, 2U})
          EXPECT_EQ(fit::to_json(fitted(name, shuffled(data, seed))), first)
              << name << " " << data.columns << " columns";
        Matrix reversed = shuffled(data, 3);
        EXPECT_EQ(fit::to_json(fitted(name, reversed, {.threads = 3})), first) << name << " threads";
      }
    }
  }
}

TEST(invariance, the_unit_of_the_weights_does_not_matter) {
  std::mt19937_64 rng(7);
  for (Matrix data : samples(400)) {
    std::vector<double> weight;
    for (std::size_t i = 0; i < data.rows(); ++i) weight.push_back(static_cast<double>(1 + rng() % 8) / 2);
    for (const fit::Calibrator& row : fit::all()) {
      const std::string name(row.name);
      data.weight = weight;
      const auto expected = numbers(fitted(name, data));
      for (const double c : {1e-6, 1e-3, 1e3, 1e6, 0x1p-20, 3.0}) {
        for (std::size_t i = 0; i < weight.size(); ++i) data.weight[i] = c * weight[i];
        const auto got = numbers(fitted(name, data));
        ASSERT_EQ(got.size(), expected.size()) << name << " " << c;
        for (std::size_t j = 0; j < got.size(); ++j)
          ASSERT_NEAR(got[j], expected[j], 1e-12 * (1 + std::abs(expected[j])))
              << name << " " << c << " columns " << data.columns << " number " << j;
      }
    }
  }
}

// The solvers for many unknowns, and rows that are alike.
TEST(invariance, no_bit_depends_on_the_order_of_the_rows_with_many_classes) {
  Matrix data = simulated_logits(400, 21, 2, 8);
  for (double& z : data.values) z = std::round(z);
  for (const char* method : {"matrix", "dirichlet", "vector"}) {
    const fit::Options options{.max_iterations = 56};
    EXPECT_EQ(fit::to_json(fitted(method, data, options)), fit::to_json(fitted(method, shuffled(data, 4), options)))
        << method;
  }
  const Matrix wide = simulated_logits(300, 210, 2, 8);
  const fit::Options few{.max_iterations = 20};
  EXPECT_EQ(fit::to_json(fitted("vector", wide, few)), fit::to_json(fitted("vector", shuffled(wide, 4), few)));
}

}  // namespace
