#include "tare/fit/affine/affine.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/scaled.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

Affine diagonal_of(const Model& model) {
  const auto w = list_of(model, "w");
  Affine out{std::vector<double>(w.size() * w.size()), list_of(model, "b")};
  for (std::size_t c = 0; c < w.size(); ++c) out.w[c * w.size() + c] = w[c];
  return out;
}

double largest_slope(const Matrix& data, const Affine& map) {
  const PlainNll nll = plain_nll(data, map);
  double worst = 0;
  for (std::size_t c = 0; c < data.columns; ++c)
    worst = std::max(
        {worst, std::abs(static_cast<double>(nll.b[c])), std::abs(static_cast<double>(nll.w[c * data.columns + c]))});
  return worst;
}

TEST(vector, matches_the_reference) {
  const auto golden = golden_calibrators()["vector"];
  const Model model = fitted("vector", golden_matrix("fit"));
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_NEAR(*model.fit.nll_after, golden["fit_nll"].get<double>(), 1e-12);
  const auto w = list_of(model, "w"), b = list_of(model, "b");
  for (std::size_t c = 0; c < 10; ++c) {
    EXPECT_NEAR(w[c], golden["w"][c].get<double>(), 1e-9);
    EXPECT_NEAR(b[c], golden["b_mean_zero"][c].get<double>(), 1e-9);
  }
  const auto expected = golden_npy<double>("vector_test_probs.npy");
  const auto got = applied(reloaded(model), golden_matrix("test").values);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-9) << i;
}

// Rates 1/4 at z = -1 and 3/4 at z = 1: sigma(w z + b) with b = 0, w = ln 3.
TEST(vector, is_platt_scaling_on_one_column) {
  const Matrix data{
      .kind = Kind::logits, .columns = 1, .values = {-1, -1, -1, -1, 1, 1, 1, 1}, .label = {1, 0, 0, 0, 1, 1, 1, 0}};
  const Model model = fitted("vector", data);
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_NEAR(list_of(model, "w").at(0), std::log(3), 1e-9);
  EXPECT_NEAR(list_of(model, "b").at(0), 0, 1e-9);
  EXPECT_NEAR(applied(reloaded(model), {1})[0], 0.75, 1e-9);
}

// The truth is known: z = (u - b) / w for true logits u.
TEST(vector, recovers_the_map_that_was_undone) {
  Matrix data = simulated_logits(20000, 4, 1, 3);
  const std::vector<double> w{0.5, 1, 2, 0.8}, b{0.3, -0.3, 0.5, -0.5};
  for (std::size_t i = 0; i < data.values.size(); ++i) data.values[i] = (data.values[i] - b[i % 4]) / w[i % 4];
  const Model model = fitted("vector", data);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_NEAR(list_of(model, "w")[c], w[c], 0.06 * w[c]);
    EXPECT_NEAR(list_of(model, "b")[c], b[c], 0.1);
  }
}

TEST(vector, is_certified_by_its_gradient) {
  for (const std::size_t k : {2U, 30U, 100U}) {
    const Matrix data = simulated_logits(3000, k, 2.5, 5);
    const Model model = fitted("vector", data);
    EXPECT_EQ(model.fit.status, FitStatus::converged) << k;
    EXPECT_LE(*model.fit.gradient, 1e-8) << k;
    EXPECT_LE(largest_slope(data, diagonal_of(model)), 1e-8) << k;
    EXPECT_LE(*model.fit.nll_after, *fitted("temperature", data).fit.nll_after) << k;
  }
}

// More classes than Newton's method is used for.
TEST(vector, is_certified_for_many_classes) {
  const Matrix data = simulated_logits(4000, 220, 2, 6);
  const Model model = fitted("vector", data);
  EXPECT_LE(*model.fit.gradient, 1e-8);
  EXPECT_LE(largest_slope(data, diagonal_of(model)), 1e-8);
}

TEST(vector, takes_huge_logits_and_float32) {
  Matrix data = simulated_logits(1000, 5, 2, 8);
  const auto w = list_of(fitted("vector", data), "w");
  for (double& z : data.values) z *= 5000;
  const Model model = fitted("vector", data);
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  for (std::size_t c = 0; c < 5; ++c) EXPECT_NEAR(list_of(model, "w")[c] * 5000, w[c], 1e-7);
  const std::vector<float> values(data.values.begin(), data.values.end());
  const auto small = must(fit::vector_calibrator.fit(
      must(multiclass_view(Kind::logits, std::span<const float>(values), 5, data.label)), {}));
  for (std::size_t c = 0; c < 5; ++c) EXPECT_NEAR(list_of(small, "w")[c] * 5000, w[c], 1e-5);
}

TEST(vector, says_that_a_missing_class_has_no_best_intercept) {
  Matrix data = simulated_logits(500, 5, 2, 8);
  for (auto& y : data.label) y = y == 3 ? 2 : y;
  const Model model = fitted("vector", data);
  EXPECT_EQ(model.fit.status, FitStatus::unbounded);
  EXPECT_NE(model.fit.note.find("class 3 never occurs"), std::string::npos) << model.fit.note;
  const auto out = applied(reloaded(model), data.values);
  expect_probabilities(out, 5);
  for (std::size_t i = 3; i < out.size(); i += 5) ASSERT_LT(out[i], 1e-3);
}

TEST(vector, says_that_separated_rows_have_no_optimum) {
  Matrix data = simulated_logits(50, 3, 2, 8);
  for (std::size_t i = 0; i < data.rows(); ++i)
    data.label[i] = static_cast<std::int32_t>(argmax(std::span(data.values).subspan(3 * i, 3)));
  const Model model = fitted("vector", data);
  EXPECT_EQ(model.fit.status, FitStatus::unbounded);
  EXPECT_LE(*model.fit.nll_after * 50, 0.5);
  EXPECT_FALSE(model.fit.note.empty());
  expect_probabilities(applied(reloaded(model), {1e4, -1e4, 0, 1, 2, 3}), 3);
}

TEST(vector, fits_one_row_and_one_class) {
  for (const auto& labels : {std::vector<std::int32_t>{2}, std::vector<std::int32_t>{1, 1, 1}}) {
    Matrix data{.kind = Kind::logits, .columns = 3, .values = std::vector<double>(3 * labels.size()), .label = labels};
    for (std::size_t i = 0; i < data.values.size(); ++i) data.values[i] = std::sin(static_cast<double>(i));
    const Model model = fitted("vector", data);
    EXPECT_EQ(model.fit.status, FitStatus::unbounded);
    expect_probabilities(applied(reloaded(model), data.values), 3);
  }
}

TEST(vector, weights_are_repetitions_and_threads_do_not_matter) {
  Matrix data = simulated_logits(300, 4, 2, 9), twice = data;
  data.weight.assign(300, 1);
  for (std::size_t i = 0; i < 300; i += 2) {
    data.weight[i] = 2;
    twice.label.push_back(data.label[i]);
    for (std::size_t j = 0; j < 4; ++j) twice.values.push_back(data.values[4 * i + j]);
  }
  const auto a = list_of(fitted("vector", data), "w"), b = list_of(fitted("vector", twice), "w");
  for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(a[c], b[c], 1e-9);
  EXPECT_EQ(list_of(fitted("vector", data, {.threads = 3}), "w"), a);
}

TEST(vector, refuses_saved_parameters_of_another_size) {
  Model model = fitted("vector", simulated_logits(100, 4, 2, 9));
  model.parameters["w"] = std::vector<double>(3);
  EXPECT_FALSE(fit::vector_calibrator.recipe(model));
}

}  // namespace
