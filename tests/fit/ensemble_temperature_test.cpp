#include "tare/fit/ensemble_temperature.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/scaled.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

// Mean of p_j / q over the rows, for softmax(z / T), softmax(z) and 1 / K: at most 1, and 1 where w_j > 0.
std::array<double, 3> ratios(const Matrix& data, const Model& model) {
  const double t = temperature_of(model);
  const auto w = list_of(model, "weights");
  const std::size_t k = data.columns;
  std::array<double, 3> out{};
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto y = static_cast<std::size_t>(data.label[i]);
    std::array<double, 3> p{0, 0, 1 / static_cast<double>(k)};
    for (std::size_t which = 0; which < 2; ++which) {
      double sum = 0;
      for (std::size_t j = 0; j < k; ++j)
        sum += std::exp((data.values[i * k + j] - data.values[i * k + y]) / (which == 0 ? t : 1));
      p[which] = 1 / sum;
    }
    const double q = w[0] * p[0] + w[1] * p[1] + w[2] * p[2];
    for (std::size_t j = 0; j < 3; ++j) out[j] += p[j] / q / static_cast<double>(data.rows());
  }
  return out;
}

// A tenth of the labels is noise: part of the mixture is uniform.
Matrix noisy(std::size_t n, std::size_t k, double heat, std::uint64_t seed) {
  Matrix data = simulated_logits(n, k, heat, seed);
  for (std::size_t i = 0; i < n; i += 10) data.label[i] = static_cast<std::int32_t>((i / 10) % k);
  return data;
}

TEST(ensemble_temperature, meets_the_conditions_of_the_optimum) {
  for (const double heat : {0.5, 1.0, 3.0}) {
    const Matrix data = noisy(3000, 8, heat, 5);
    const Model model = fitted("ensemble_temperature", data);
    EXPECT_EQ(model.fit.status, FitStatus::converged);
    EXPECT_EQ(temperature_of(model), temperature_of(fitted("temperature", data)));
    const auto r = ratios(data, model);
    const auto w = list_of(model, "weights");
    EXPECT_NEAR(w[0] + w[1] + w[2], 1, 1e-14);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_GE(w[j], 0);
      EXPECT_LE(r[j], 1 + 1e-8) << heat << " " << j;
      EXPECT_GE(r[j], w[j] > 0 ? 1 - 1e-8 : 0) << heat << " " << j;
    }
    EXPECT_LE(*model.fit.nll_after, *fitted("temperature", data).fit.nll_after + 1e-15);
  }
}

TEST(ensemble_temperature, is_temperature_scaling_where_nothing_else_helps) {
  const Matrix data = simulated_logits(20000, 5, 1, 3);
  Matrix hot = data;
  for (double& z : hot.values) z *= 3;
  const auto w = list_of(fitted("ensemble_temperature", hot), "weights");
  EXPECT_GT(w[0], 0.9);
}

TEST(ensemble_temperature, keeps_the_top_label) {
  const Matrix data = noisy(500, 6, 4, 9);
  const auto out = applied(reloaded(fitted("ensemble_temperature", data)), data.values);
  expect_probabilities(out, 6);
  expect_same_top_label(data, out);
  // even if the mixture is all uniform, and even at neighbouring numbers
  Model model{.method = "ensemble_temperature", .k = 3, .columns = 3, .input = Kind::logits};
  model.parameters["temperature"] = 1e6;
  for (const auto& w : {std::vector<double>{0, 0, 1}, std::vector<double>{1, 0, 0}, std::vector<double>{0, 1, 0},
                        std::vector<double>{0.2, 0.3, 0.5}}) {
    model.parameters["weights"] = w;
    const Matrix near{.kind = Kind::logits,
                      .columns = 3,
                      .values = {1, std::nextafter(1, 2), 0, 0, 0, 1e-9, 1e4, -1e4, 2e4},
                      .label = {}};
    const auto p = applied(model, near.values);
    expect_probabilities(p, 3);
    expect_same_top_label(near, p);
  }
}

TEST(ensemble_temperature, takes_one_column_probabilities_and_zeros) {
  const Matrix one = binary(simulated(500, 3, [](double s) { return 0.1 + 0.8 * s; }));
  const Model model = fitted("ensemble_temperature", one);
  const auto out = applied(reloaded(model), one.values);
  expect_probabilities(out, 1);
  expect_same_top_label(one, out);
  const Matrix hard{.kind = Kind::probs, .columns = 2, .values = {1, 0, 0, 1, 1, 0, 1, 0}, .label = {0, 1, 0, 1}};
  expect_probabilities(applied(fitted("ensemble_temperature", hard), hard.values), 2);
}

TEST(ensemble_temperature, refuses_weights_that_are_no_mixture) {
  Model model = fitted("ensemble_temperature", simulated_logits(100, 3, 2, 1));
  for (const auto& w :
       {std::vector<double>{0.5, 0.4, 0.2}, std::vector<double>{1.5, -0.5, 0}, std::vector<double>{1, 0}}) {
    model.parameters["weights"] = w;
    EXPECT_FALSE(fit::ensemble_temperature_calibrator.recipe(model));
  }
}

// Rows that only one density explains: the weights are their shares.
TEST(mixture, of_disjoint_densities_has_their_shares) {
  const std::vector<fit::Three> p{{1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto m = fit::best_mixture(p, {});
  EXPECT_NEAR(m.w[0], 0.5, 1e-9);
  EXPECT_NEAR(m.w[1], 0.25, 1e-9);
  EXPECT_NEAR(m.w[2], 0.25, 1e-9);
  const std::vector<double> weight{1, 1, 2, 0};
  const auto weighted = fit::best_mixture(p, weight);
  EXPECT_NEAR(weighted.w[1], 0.5, 1e-9);
  EXPECT_NEAR(weighted.w[2], 0, 1e-9);
}

// Two densities that hardly differ: the way to the best weights leads along the edge of the triangle.
TEST(mixture, of_nearly_equal_densities_meets_the_condition) {
  for (const double power : {1.03, 1.003, 1.3}) {
    std::vector<fit::Three> p;
    for (int i = 0; i < 2000; ++i) {
      const double u = (i + 0.5) / 2000, hard = u * u * u * u;
      p.push_back({hard, std::pow(hard, power) * power, 0.01});
    }
    const auto m = fit::best_mixture(p, {});
    fit::Three mean{};
    for (const auto& row : p)
      for (std::size_t j = 0; j < 3; ++j)
        mean[j] += row[j] / (m.w[0] * row[0] + m.w[1] * row[1] + m.w[2] * row[2]) / static_cast<double>(p.size());
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_LT(mean[j], 1 + 1e-9) << power;
      EXPECT_GT(mean[j], m.w[j] > 0 ? 1 - 1e-9 : 0) << power;
    }
    EXPECT_LT(m.violation, 1e-10) << power;
  }
}

}  // namespace
