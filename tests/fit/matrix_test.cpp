#include "tare/fit/affine/affine.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/scaled.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

Affine affine_of(const Model& model) { return {list_of(model, "W"), list_of(model, "b")}; }

// Largest component of the gradient of mean NLL + lambda / (K (K-1)) sum W_ij^2 + mu / K sum b^2.
double largest_slope(const Matrix& data, const Affine& map, double lambda, double mu) {
  const PlainNll nll = plain_nll(data, map);
  const std::size_t k = data.columns;
  const auto d = static_cast<double>(k);
  long double worst = 0;
  for (std::size_t c = 0; c < k; ++c) {
    worst = std::max(worst, std::abs(nll.b[c] + 2 * mu / d * map.b[c]));
    for (std::size_t j = 0; j < k; ++j) {
      const double off = c == j ? 0 : 2 * lambda / (d * (d - 1)) * map.w[c * k + j];
      worst = std::max(worst, std::abs(nll.w[c * k + j] + off));
    }
  }
  return static_cast<double>(worst);
}

// True logits u = W z + b, labels drawn from softmax(u): the map is recovered up to its gauge.
TEST(matrix, recovers_the_map_that_was_undone) {
  const std::size_t n = 20000;
  const Matrix z = simulated_logits(n, 3, 1, 21);
  const Affine truth{{1, 0.3, 0, -0.2, 0.8, 0.1, 0, 0.4, 0.5}, {0.2, 0, -0.2}};
  Matrix data = z;
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> uniform;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> p(3);
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      double u = truth.b[c];
      for (std::size_t j = 0; j < 3; ++j) u += truth.w[3 * c + j] * z.values[3 * i + j];
      sum += p[c] = std::exp(u);
    }
    double u = uniform(rng) * sum;
    std::int32_t y = 0;
    while (y < 2 && u > p[static_cast<std::size_t>(y)]) u -= p[static_cast<std::size_t>(y++)];
    data.label[i] = y;
  }
  const Model model = fitted("matrix", data);
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_LE(largest_slope(data, affine_of(model), 0, 0), 1e-8);
  const auto w = list_of(model, "W");
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t c = 1; c < 3; ++c) EXPECT_NEAR(w[3 * c + j] - w[j], truth.w[3 * c + j] - truth.w[j], 0.05);
}

TEST(matrix, is_certified_by_its_gradient) {
  for (const std::size_t k : {2U, 5U, 12U}) {
    const Matrix data = simulated_logits(3000, k, 2, 5);
    const Model free = fitted("matrix", data);
    EXPECT_EQ(free.fit.status, FitStatus::converged) << k;
    EXPECT_LE(largest_slope(data, affine_of(free), 0, 0), 1e-8) << k;
    const Model held = fitted("matrix", data, {.lambda = 0.5, .mu = 0.1});
    EXPECT_EQ(held.fit.status, FitStatus::converged) << k;
    EXPECT_LE(largest_slope(data, affine_of(held), 0.5, 0.1), 1e-8) << k;
    // of two classes they are the same maps, so equal but for rounding
    EXPECT_LE(*free.fit.nll_after, *fitted("vector", data).fit.nll_after + 1e-14) << k;
    EXPECT_GE(*held.fit.nll_after, *free.fit.nll_after) << k;
  }
}

// More unknowns than Newton's method is used for.
TEST(matrix, is_certified_with_odir_for_many_classes) {
  const Matrix data = simulated_logits(1500, 40, 2, 6);
  const Model model = fitted("matrix", data, {.lambda = 1, .mu = 1});
  EXPECT_EQ(model.fit.status, FitStatus::converged) << model.fit.note;
  EXPECT_LE(*model.fit.gradient, 1e-8);
  EXPECT_LE(largest_slope(data, affine_of(model), 1, 1), 1e-8);
}

// lambda so large that nothing is left off the diagonal, mu so large that no intercept is: temperatures per class.
TEST(matrix, becomes_diagonal_under_a_large_penalty) {
  const Matrix data = simulated_logits(2000, 4, 2, 6);
  const auto w = list_of(fitted("matrix", data, {.lambda = 1e9}), "W");
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(w[4 * c + j] * (c != j), 0, 1e-6);
}

// 400 rows, 40 classes: 1640 parameters separate them.
TEST(matrix, says_that_separated_rows_have_no_optimum) {
  const Matrix data = simulated_logits(400, 40, 2, 4);
  const Model model = fitted("matrix", data);
  EXPECT_EQ(model.fit.status, FitStatus::unbounded);
  EXPECT_LE(*model.fit.nll_after * 400, 0.5);
  EXPECT_NE(model.fit.note.find("lambda"), std::string::npos);
  const auto out = applied(reloaded(model), data.values);
  expect_probabilities(out, 40);
  for (std::size_t i = 0; i < 400; ++i)
    ASSERT_EQ(argmax(std::span(out).subspan(40 * i, 40)), static_cast<std::size_t>(data.label[i]));
  EXPECT_EQ(fitted("matrix", data, {.lambda = 1}).fit.status, FitStatus::converged);
}

// The penalty leaves the diagonal free: logits that are right already have no optimum even so.
TEST(matrix, says_that_a_penalty_does_not_bound_the_diagonal) {
  Matrix data = simulated_logits(60, 3, 2, 8);
  for (std::size_t i = 0; i < data.rows(); ++i)
    data.label[i] = static_cast<std::int32_t>(argmax(std::span(data.values).subspan(3 * i, 3)));
  EXPECT_EQ(fitted("matrix", data, {.lambda = 1}).fit.status, FitStatus::unbounded);
}

TEST(matrix, says_that_a_missing_class_has_no_best_intercept) {
  Matrix data = simulated_logits(800, 4, 2, 8);
  for (auto& y : data.label) y = y == 3 ? 2 : y;
  EXPECT_EQ(fitted("matrix", data).fit.status, FitStatus::unbounded);
  EXPECT_EQ(fitted("matrix", data, {.lambda = 0.1}).fit.status, FitStatus::converged);
}

TEST(matrix, is_platt_scaling_on_one_column) {
  const Matrix data{
      .kind = Kind::logits, .columns = 1, .values = {-1, -1, -1, -1, 1, 1, 1, 1}, .label = {1, 0, 0, 0, 1, 1, 1, 0}};
  const Model model = fitted("matrix", data);
  EXPECT_NEAR(list_of(model, "w").at(0), std::log(3), 1e-9);
  EXPECT_NEAR(applied(reloaded(model), {-1})[0], 0.25, 1e-9);
}

TEST(matrix, reports_an_iteration_limit) {
  const Model model = fitted("matrix", simulated_logits(500, 10, 2, 6), {.lambda = 0.1, .max_iterations = 1});
  EXPECT_EQ(model.fit.status, FitStatus::iteration_limit);
  EXPECT_FALSE(model.fit.note.empty());
  expect_probabilities(applied(reloaded(model), simulated_logits(10, 10, 2, 1).values), 10);
}

TEST(matrix, refuses_a_negative_penalty) {
  EXPECT_FALSE(fit::matrix_calibrator.fit(simulated_logits(50, 3, 2, 6).view(), {.lambda = -1}));
}

TEST(matrix, does_not_depend_on_threads) {
  const Matrix data = simulated_logits(1100, 25, 2, 6);
  EXPECT_EQ(list_of(fitted("matrix", data, {.lambda = 1, .threads = 3}), "W"),
            list_of(fitted("matrix", data, {.lambda = 1}), "W"));
}

}  // namespace
