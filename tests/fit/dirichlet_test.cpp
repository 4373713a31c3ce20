#include "tare/fit/affine/affine.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/scaled.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

Matrix logarithms(Matrix probs) {
  for (double& p : probs.values) p = std::log(p);
  return probs;
}

double largest_slope(const Matrix& data, const Model& model) {
  const Affine map{list_of(model, "W"), list_of(model, "b")};
  const double lambda = std::get<double>(model.parameters.at("lambda")),
               mu = std::get<double>(model.parameters.at("mu"));
  const PlainNll nll = plain_nll(data, map);
  const std::size_t k = data.columns;
  const auto d = static_cast<double>(k);
  long double worst = 0;
  for (std::size_t c = 0; c < k; ++c) {
    worst = std::max(worst, std::abs(nll.b[c] + 2 * mu / d * map.b[c]));
    for (std::size_t j = 0; j < k; ++j)
      worst =
          std::max(worst, std::abs(nll.w[c * k + j] + (c == j ? 0 : 2 * lambda / (d * (d - 1)) * map.w[c * k + j])));
  }
  return static_cast<double>(worst);
}

TEST(dirichlet, is_certified_by_its_gradient) {
  for (const std::size_t k : {2U, 3U, 10U, 30U}) {
    const Matrix probs = softmaxed(simulated_logits(2000, k, 2, 5));
    const Model model = fitted("dirichlet", probs);
    EXPECT_EQ(model.fit.status, FitStatus::converged) << k << model.fit.note;
    EXPECT_LE(*model.fit.gradient, 1e-8) << k;
    EXPECT_LE(largest_slope(logarithms(probs), model), 1e-8) << k;
    EXPECT_LT(*model.fit.nll_after, *model.fit.nll_before) << k;
  }
}

TEST(dirichlet, sees_logits_as_their_softmax) {
  const Matrix logits = simulated_logits(800, 4, 2, 6);
  const Model a = fitted("dirichlet", logits), b = fitted("dirichlet", softmaxed(logits));
  for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(list_of(a, "W")[i], list_of(b, "W")[i], 1e-7);
  const auto p = applied(reloaded(a), logits.values), q = applied(reloaded(b), softmaxed(logits).values);
  for (std::size_t i = 0; i < p.size(); ++i) ASSERT_NEAR(p[i], q[i], 1e-7);
}

// One column: ln(1-p) and ln p, the family of beta calibration.
TEST(dirichlet, takes_one_column) {
  const Matrix one = binary(simulated(2000, 3, [](double s) { return s * s; }));
  Matrix two{.kind = Kind::probs, .columns = 2, .values = {}, .label = one.label};
  for (const double p : one.values) two.values.insert(two.values.end(), {1 - p, p});
  const Model a = fitted("dirichlet", one), b = fitted("dirichlet", two);
  EXPECT_EQ(a.fit.status, FitStatus::converged);
  const auto p = applied(reloaded(a), {0.1, 0.5, 0.9}), q = applied(reloaded(b), {0.9, 0.1, 0.5, 0.5, 0.1, 0.9});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(p[i], q[2 * i + 1], 1e-7);
    EXPECT_NEAR(p[i], std::pow(std::array{0.1, 0.5, 0.9}[i], 2), 0.05);  // the truth
  }
}

TEST(dirichlet, takes_probabilities_of_zero_and_one) {
  Matrix data{.kind = Kind::probs, .columns = 3, .values = {}, .label = {}};
  for (std::size_t i = 0; i < 60; ++i) {
    for (std::size_t j = 0; j < 3; ++j) data.values.push_back(j == i % 3 ? 1 : 0);
    data.label.push_back(static_cast<std::int32_t>(i % 5 == 0 ? (i + 1) % 3 : i % 3));
  }
  const Model model = fitted("dirichlet", data);
  EXPECT_NE(model.fit.status, FitStatus::unbounded);
  EXPECT_FALSE(model.fit.nll_before.has_value());
  const auto out = applied(reloaded(model), data.values);
  expect_probabilities(out, 3);
  EXPECT_NEAR(out[0], 0.8, 0.01);
}

// ln p is never positive, and the penalty leaves the diagonal free: W_33 grows for ever.
TEST(dirichlet, says_that_a_missing_class_has_no_optimum) {
  Matrix data = simulated_logits(500, 4, 2, 8);
  for (auto& y : data.label) y = y == 3 ? 2 : y;
  const Model model = fitted("dirichlet", data);
  EXPECT_EQ(model.fit.status, FitStatus::unbounded);
  EXPECT_NE(model.fit.note.find("class 3 never occurs"), std::string::npos) << model.fit.note;
  EXPECT_LE(*model.fit.gradient, 1e-8);
  expect_probabilities(applied(model, data.values), 4);
}

// The rows that know a class fill their buffer exactly: all of few rows, or a multiple of 4,096.
TEST(dirichlet, takes_any_number_of_rows_with_many_classes) {
  for (const std::size_t n : {1U, 60U, 4096U}) {
    Matrix data = simulated_logits(n, 48, 0.1, 7);  // flat: every row knows every class
    const Model model = fitted("dirichlet", data, {.max_iterations = n > 100 ? 1 : 0});
    EXPECT_TRUE(*model.fit.nll_after <= *model.fit.nll_before) << n;
    expect_probabilities(applied(reloaded(model), data.values), 48);
  }
}

// A class that no row gives a chance leaves nothing to sum for it.
TEST(dirichlet, takes_a_class_of_probability_zero_everywhere) {
  Matrix data = simulated_logits(60, 48, 1, 7);
  for (std::size_t i = 0; i < 60; ++i) {
    data.values[i * 48 + 5] = -1e5;
    if (data.label[i] == 5) data.label[i] = 4;
  }
  for (const auto* method : {"matrix", "dirichlet", "vector"})
    expect_probabilities(applied(reloaded(fitted(method, data, {.max_iterations = 3})), data.values), 48);
}

TEST(dirichlet, fits_one_row) {
  const Matrix data{.kind = Kind::probs, .columns = 3, .values = {0.2, 0.5, 0.3}, .label = {2}};
  expect_probabilities(applied(reloaded(fitted("dirichlet", data)), data.values), 3);
}

}  // namespace
