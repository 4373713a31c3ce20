#include "tare/fit/temperature.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

#include "fit/scaled.hpp"
#include "support/folders.hpp"
#include "tare/fit/run.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/measure/sample.hpp"
#include "tare/read/dataset.hpp"
#include "tare/reduce/reduce.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

Matrix scaled(Matrix data, double factor) {
  for (double& z : data.values) z *= factor;
  return data;
}

std::vector<float> as_float(const std::vector<double>& values) { return {values.begin(), values.end()}; }

MulticlassView float_view(const Matrix& data, const std::vector<float>& values) {
  return must(multiclass_view(data.kind, std::span<const float>(values), data.columns, data.label, data.weight));
}

// Three of four rows with logits (1, 0) are of class 0: sigma(1 / T) = 3/4.
TEST(temperature, by_hand) {
  const Matrix data{.kind = Kind::logits, .columns = 2, .values = {1, 0, 1, 0, 1, 0, 1, 0}, .label = {0, 0, 1, 0}};
  const Model model = fitted("temperature", data);
  EXPECT_NEAR(temperature_of(model), 1 / std::log(3), 1e-12);
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_LE(*model.fit.gradient, 1e-10);
  EXPECT_NEAR(*model.fit.nll_before, std::log1p(std::exp(-1)) + 0.25, 1e-14);
  EXPECT_NEAR(*model.fit.nll_after, -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-14);
  EXPECT_TRUE(model.fit.note.empty());
}

// One column is the log-odds of class 1: z is divided, not (-z, z).
TEST(temperature, divides_the_log_odds_of_one_column) {
  const Matrix data{.kind = Kind::logits, .columns = 1, .values = {1, 1, 1, 1, -1}, .label = {1, 1, 0, 1, 0}};
  const Model model = fitted("temperature", data);
  EXPECT_NEAR(temperature_of(model), 1 / std::log(4), 1e-12);
  EXPECT_NEAR(applied(model, {1})[0], 0.8, 1e-12);
}

TEST(temperature, matches_the_reference) {
  const auto golden = golden_calibrators()["temperature"];
  const Matrix data = golden_matrix("fit"), test = golden_matrix("test");
  const Model model = fitted("temperature", data);
  EXPECT_NEAR(temperature_of(model), golden["T"].get<double>(), 1e-9);
  EXPECT_NEAR(*model.fit.nll_after, golden["fit_nll"].get<double>(), 1e-12);
  const auto expected = golden_npy<double>("temperature_test_probs.npy");
  const auto got = applied(reloaded(model), test.values);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-9) << i;
}

// Optimal temperatures at which other programs stop early, clip, or go negative: one moves 1% of the way per step
// (3.05 -> 1.78, 4.96 -> 1.87), one ends at -172.8 for 0.50, one clips at 5.
TEST(temperature, reaches_optima_that_others_miss) {
  for (const double heat : {3.05, 4.96, 0.50, 8.0}) {
    const Matrix data = simulated_logits(5000, 100, heat, 7);
    const Model model = fitted("temperature", data);
    EXPECT_EQ(model.fit.status, FitStatus::converged) << heat;
    EXPECT_NEAR(temperature_of(model), heat, 0.04 * heat) << heat;  // labels are drawn: 4 standard errors
    EXPECT_LE(std::abs(plain_slope(data, 1 / temperature_of(model))), 1e-10) << heat;
    EXPECT_LE(*model.fit.gradient, 1e-10) << heat;
  }
}

// A finite-difference gradient in float32 is 0: one program returns its start and calls it success.
TEST(temperature, is_as_exact_on_float32) {
  Matrix data = simulated_logits(5000, 100, 3.05, 7);
  const auto values = as_float(data.values);
  data.values.assign(values.begin(), values.end());
  const Model model = must(fit::temperature(float_view(data, values)));
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_LE(std::abs(plain_slope(data, 1 / temperature_of(model))), 1e-10);
  EXPECT_NEAR(temperature_of(model), temperature_of(fitted("temperature", data)), 1e-10);
}

// Enough numbers for the passes in float32: the last one is in float64 all the same.
TEST(temperature, ends_in_float64_on_large_float32_input) {
  Matrix data = simulated_logits(3000, 400, 2, 11);
  const auto values = as_float(data.values);
  data.values.assign(values.begin(), values.end());
  ASSERT_GT(values.size(), std::size_t{1} << 20);
  const Model model = must(fit::temperature(float_view(data, values)));
  EXPECT_LE(std::abs(plain_slope(data, 1 / temperature_of(model))), 1e-10);
  EXPECT_LE(*model.fit.gradient, 1e-10);
  EXPECT_NEAR(*model.fit.nll_before, *fitted("temperature", data).fit.nll_before, 1e-7);
  EXPECT_NEAR(*model.fit.nll_after, *fitted("temperature", data).fit.nll_after, 1e-12);
}

// The same for numbers in float64, with weights, and for probabilities, whose losses are those of their logarithms.
TEST(temperature, ends_in_float64_on_large_input) {
  Matrix data = simulated_logits(60000, 20, 2, 11);
  ASSERT_GT(data.values.size(), std::size_t{1} << 20);
  const Model model = fitted("temperature", data);
  EXPECT_LE(std::abs(plain_slope(data, 1 / temperature_of(model))), 1e-10);
  EXPECT_LE(*model.fit.gradient, 1e-10);

  Matrix probs = data;
  probs.kind = Kind::probs;
  double before = 0;
  for (std::size_t i = 0; i < probs.label.size(); ++i) {
    double* const row = probs.values.data() + i * probs.columns;
    double sum = 0;
    for (std::size_t j = 0; j < probs.columns; ++j) sum += row[j] = std::exp(row[j]);
    for (std::size_t j = 0; j < probs.columns; ++j) row[j] /= sum;
    before -= std::log(row[probs.label[i]]);
  }
  before /= static_cast<double>(probs.label.size());
  const Model of_probs = fitted("temperature", probs);
  EXPECT_NEAR(temperature_of(of_probs), temperature_of(model), 1e-11);
  EXPECT_NEAR(*of_probs.fit.nll_before, before, 1e-11);
  EXPECT_NEAR(*model.fit.nll_before, before, 1e-11);
  EXPECT_NEAR(*of_probs.fit.nll_after, *model.fit.nll_after, 1e-12);

  Matrix weighted = data;
  weighted.weight.assign(data.label.size(), 1);
  for (std::size_t i = 0; i < weighted.weight.size(); i += 3) weighted.weight[i] = 2;
  Matrix repeated = data;
  for (std::size_t i = 0; i < data.label.size(); i += 3) {
    repeated.label.push_back(data.label[i]);
    for (std::size_t j = 0; j < data.columns; ++j) repeated.values.push_back(data.values[i * data.columns + j]);
  }
  EXPECT_NEAR(temperature_of(fitted("temperature", weighted)), temperature_of(fitted("temperature", repeated)), 1e-11);
}

// Rows that the first steps cannot hold: one class is far below.
TEST(temperature, takes_masked_classes_of_large_input) {
  Matrix data = simulated_logits(60000, 20, 2, 11), more = data;
  more.columns = 21;
  more.values.clear();
  for (std::size_t i = 0; i < data.label.size(); ++i) {
    const double* const row = data.values.data() + i * data.columns;
    more.values.insert(more.values.end(), row, row + data.columns);
    more.values.push_back(masked_logit);
  }
  const Model plain = fitted("temperature", data), masked = fitted("temperature", more);
  EXPECT_NEAR(temperature_of(masked), temperature_of(plain), 1e-9);
  EXPECT_NEAR(*masked.fit.nll_before, *plain.fit.nll_before, 1e-9);
}

// An unshifted exp overflows here.
TEST(temperature, takes_huge_logits) {
  const Matrix data = simulated_logits(2000, 20, 1.5, 3);
  const double t = temperature_of(fitted("temperature", data));
  for (const double factor : {200.0, 1e4, 1e5}) {
    const Model model = fitted("temperature", scaled(data, factor));
    EXPECT_EQ(model.fit.status, FitStatus::converged) << factor;
    EXPECT_NEAR(temperature_of(model) / factor, t, 1e-9) << factor;
  }
  const auto values = as_float(scaled(data, 200).values);
  EXPECT_NEAR(temperature_of(must(fit::temperature(float_view(data, values)))) / 200, t, 1e-6);
}

TEST(temperature, refuses_logits_beyond_all_reason) {
  const Matrix data{.kind = Kind::logits, .columns = 2, .values = {1e200, 0, 0, 1e200}, .label = {0, 0}};
  const auto model = fit::temperature(data.view());
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, Errc::bad_input);
}

// Labels independent of the logits, or against them: the best map is uniform, T is infinite.
TEST(temperature, stops_at_the_bound_when_the_labels_contradict_the_logits) {
  const Matrix data{.kind = Kind::logits, .columns = 2, .values = {3, 0, 0, 3, 3, 0}, .label = {1, 0, 0}};
  const Model model = fitted("temperature", data);
  EXPECT_EQ(model.fit.status, FitStatus::at_bound);
  EXPECT_NEAR(temperature_of(model), 1e6, 1e-3);
  EXPECT_NEAR(*model.fit.nll_after, std::log(2), 1e-5);
  EXPECT_FALSE(model.fit.note.empty());
  const auto out = applied(reloaded(model), data.values);
  expect_probabilities(out, 2);
  expect_same_top_label(data, out);
}

TEST(temperature, stops_at_the_bound_when_the_slope_at_zero_is_zero) {
  const Matrix data{
      .kind = Kind::logits, .columns = 3, .values = {0.1, 0.7, 0.3, 0.1, 0.7, 0.3, 0.1, 0.7, 0.3}, .label = {0, 1, 2}};
  EXPECT_EQ(fitted("temperature", data).fit.status, FitStatus::at_bound);
}

// No finite T is best; it stays positive, and the map is usable.
TEST(temperature, says_that_separated_rows_have_no_optimum) {
  const Matrix data{.kind = Kind::logits, .columns = 3, .values = {2, 0, 1, 0, 0.5, 0.4, 1, 0, 3}, .label = {0, 1, 2}};
  const Model model = fitted("temperature", data);
  EXPECT_EQ(model.fit.status, FitStatus::unbounded);
  EXPECT_GT(temperature_of(model), 0.01);
  EXPECT_LE(*model.fit.nll_after * 3, 0.5);
  EXPECT_LT(*model.fit.nll_after, *model.fit.nll_before);
  EXPECT_NE(model.fit.note.find("halved"), std::string::npos);
  expect_probabilities(applied(reloaded(model), data.values), 3);
}

TEST(temperature, counts_ties_at_the_top_as_right) {
  const Matrix data{.kind = Kind::logits, .columns = 2, .values = {1, 1, 2, 0}, .label = {1, 0}};
  const Model model = fitted("temperature", data);  // the NLL falls towards ln 2 / 2
  EXPECT_EQ(model.fit.status, FitStatus::unbounded);
  EXPECT_NEAR(*model.fit.nll_after, std::log(2) / 2, 0.25);
}

TEST(temperature, keeps_one_when_all_logits_are_equal) {
  const Matrix data{.kind = Kind::logits, .columns = 4, .values = {1, 1, 1, 1, 0, 0, 0, 0}, .label = {0, 3}};
  const Model model = fitted("temperature", data);
  EXPECT_EQ(temperature_of(model), 1);
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_FALSE(model.fit.note.empty());
  EXPECT_NEAR(*model.fit.nll_after, std::log(4), 1e-15);
}

TEST(temperature, fits_one_row) {
  const Matrix right{.kind = Kind::logits, .columns = 3, .values = {1, 2, 0}, .label = {1}};
  EXPECT_EQ(fitted("temperature", right).fit.status, FitStatus::unbounded);
  const Matrix wrong{.kind = Kind::logits, .columns = 3, .values = {1, 2, 0}, .label = {2}};
  EXPECT_EQ(fitted("temperature", wrong).fit.status, FitStatus::at_bound);
  // z_y above the mean but below the largest: a real optimum
  const Matrix middle{.kind = Kind::logits, .columns = 3, .values = {1.5, 2, 0}, .label = {0}};
  const Model model = fitted("temperature", middle);
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_LE(std::abs(plain_slope(middle, 1 / temperature_of(model))), 1e-11);
}

TEST(temperature, of_probabilities_is_that_of_their_logarithms) {
  const Matrix data = simulated_logits(500, 7, 2, 5);
  const Model logits = fitted("temperature", data), probs = fitted("temperature", softmaxed(data));
  EXPECT_NEAR(temperature_of(probs), temperature_of(logits), 1e-9);
  EXPECT_NEAR(*probs.fit.nll_before, *logits.fit.nll_before, 1e-12);
  EXPECT_NEAR(*probs.fit.nll_after, *logits.fit.nll_after, 1e-12);
  const auto a = applied(logits, data.values), b = applied(probs, softmaxed(data).values);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-9);
}

// What 0 counts as is tested in zeros_test.cpp.
TEST(temperature, of_rows_that_say_0_and_1) {
  const Matrix one{.kind = Kind::probs, .columns = 1, .values = {1, 0, 1, 1}, .label = {1, 0, 0, 1}};
  expect_probabilities(applied(fitted("temperature", one), {0, 1, 0.5}), 1);
}

TEST(temperature, weights_are_repetitions) {
  Matrix data = simulated_logits(200, 5, 2, 9), twice = data;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const auto w = static_cast<double>(i % 3);
    data.weight.push_back(w);
    for (int r = 1; r < static_cast<int>(w); ++r) {
      twice.label.push_back(twice.label[i]);
      for (std::size_t j = 0; j < 5; ++j) twice.values.push_back(data.values[i * 5 + j]);
    }
  }
  for (std::size_t i = data.rows(); i-- > 0;) {
    if (i % 3 != 0) continue;
    twice.label.erase(twice.label.begin() + static_cast<std::ptrdiff_t>(i));
    twice.values.erase(twice.values.begin() + static_cast<std::ptrdiff_t>(5 * i),
                       twice.values.begin() + static_cast<std::ptrdiff_t>(5 * i + 5));
  }
  EXPECT_NEAR(temperature_of(fitted("temperature", data)), temperature_of(fitted("temperature", twice)), 1e-11);
}

TEST(temperature, does_not_depend_on_row_order_or_threads) {
  for (const std::size_t n : {700U, 3000U}) {
    const Matrix data = simulated_logits(n, 400, 2, 4);
    Matrix reversed = data;
    for (std::size_t i = 0; i < n; ++i) {
      reversed.label[n - 1 - i] = data.label[i];
      std::copy_n(data.values.begin() + static_cast<std::ptrdiff_t>(400 * i), 400,
                  reversed.values.begin() + static_cast<std::ptrdiff_t>(400 * (n - 1 - i)));
    }
    const auto values = as_float(data.values), backwards = as_float(reversed.values);
    const double t = temperature_of(must(fit::temperature(float_view(data, values))));
    EXPECT_EQ(t, temperature_of(must(fit::temperature(float_view(reversed, backwards)))));
    EXPECT_EQ(t, temperature_of(must(fit::temperature(float_view(data, values), {.threads = 3}))));
  }
}

// Logits one unit in the last place apart, a temperature of 1e6: the order must survive.
TEST(temperature, never_moves_the_top_label) {
  Model model{.method = "temperature", .k = 3, .columns = 3, .input = Kind::logits};
  const double next = std::nextafter(1.0, 2.0);
  for (const double t : {1e-6, 1e-3, 0.7, 1.0, 3.0, 1e6}) {
    model.parameters["temperature"] = t;
    model.columns = model.k = 3;
    model.input = Kind::logits;
    const Matrix near{.kind = Kind::logits,
                      .columns = 3,
                      .values = {1, next, 0, 1, 1, next, 1e-300, 2e-300, 0, 5, 5, 4, -1e300, 1e300, 0},
                      .label = {}};
    const auto out = applied(model, near.values);
    expect_probabilities(out, 3);
    expect_same_top_label(near, out);
    EXPECT_EQ(out[9], out[10]);  // equal logits stay equal
    model.input = Kind::probs;
    const double half = std::nextafter(0.5, 0.0);
    const Matrix probs{.kind = Kind::probs,
                       .columns = 3,
                       .values = {half, 0.5, 0, 0, 0, 1, 0.3, 0.3, std::nextafter(0.3, 1)},
                       .label = {}};
    const auto p = applied(model, probs.values);
    expect_probabilities(p, 3);
    expect_same_top_label(probs, p);
    model.columns = 1;
    model.k = 2;
    const Matrix one{
        .kind = Kind::probs, .columns = 1, .values = {0, half, 0.5, std::nextafter(0.5, 1.0), 1}, .label = {}};
    expect_same_top_label(one, applied(model, one.values));
    model.input = Kind::logits;
    const Matrix odds{.kind = Kind::logits, .columns = 1, .values = {-1e300, -1e-300, 0, 1e-300, 1e300}, .label = {}};
    expect_same_top_label(odds, applied(model, odds.values));
  }
}

RC_GTEST_PROP(temperature, keeps_the_top_label_of_any_row, ()) {
  const auto k = *rc::gen::inRange<std::size_t>(2, 40);
  const auto row = *rc::gen::container<std::vector<double>>(
      k, rc::gen::map(rc::gen::inRange(-2000, 2000), [](int x) { return x / 64.0; }));
  const auto t = std::exp(*rc::gen::inRange(-130, 130) / 10.0);
  Model model{.method = "temperature", .k = k, .columns = k, .input = Kind::logits};
  model.parameters["temperature"] = t;
  const auto out = applied(model, row);
  RC_ASSERT(argmax(row) == argmax(out));
  RC_ASSERT(std::abs(std::accumulate(out.begin(), out.end(), 0.0) - 1) <= 1e-12);
}

TEST(temperature, refuses_a_saved_temperature_that_is_not_positive) {
  Model model{.method = "temperature", .k = 3, .columns = 3, .input = Kind::logits};
  EXPECT_FALSE(fit::temperature_calibrator.recipe(model));
  for (const double t : {0.0, -172.8, std::numeric_limits<double>::quiet_NaN(), 1e9}) {
    model.parameters["temperature"] = t;
    EXPECT_FALSE(fit::temperature_calibrator.recipe(model)) << t;
  }
}

struct BeforeAfter {
  double gap = 0;  // confidence - accuracy before
  double ece_before = 0, ece_after = 0;
  bool same_labels = true;
  double temperature = 0;
};

double ece(const Predictions& p) {
  const auto data = must(top_label(p));
  return must(measure::ece_ew(measure::Sample(data.view()), {.bins = 15, .norm = 1})).value;
}

BeforeAfter repair(const Predictions& val, const Predictions& test) {
  const Model model = must(fit::run(fit::temperature_calibrator, val, {}));
  std::vector<double> out(test.matrix->values().size());
  must(fit::map_for(model, test))->apply(test.matrix->values(), out);
  BeforeAfter result{.temperature = temperature_of(model)};
  const std::size_t k = test.k;
  for (std::size_t i = 0; i < test.n; ++i) {
    std::size_t top = 0;
    for (std::size_t j = 1; j < k; ++j)
      if (test.matrix->values()[i * k + j] > test.matrix->values()[i * k + top]) top = j;
    result.same_labels &= top == argmax(std::span(out).subspan(i * k, k));
  }
  const auto binary = must(top_label(test));
  for (std::size_t i = 0; i < test.n; ++i)
    result.gap += (binary.view().score()[i] - binary.view().label()[i]) / static_cast<double>(test.n);
  Predictions after;
  after.kind = Kind::probs;
  after.n = test.n;
  after.k = k;
  after.matrix = must(multiclass_view(Kind::probs, std::span<const double>(out), k, test.matrix->label()));
  result.ece_before = ece(test);
  result.ece_after = ece(after);
  return result;
}

// Logits published by Kull et al.; T and ECE as their notebook and ours by SciPy agree on.
TEST(temperature, repairs_a_published_network) {
  const std::string folder = tare::detail::testing::shared_dir() + "/data/kangsepp_resnet110_c10/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no reference data";
  const auto val = must(read::all_rows({.logits = folder + "val_logits.npy", .labels = folder + "val_labels.npy"}));
  const auto test = must(read::all_rows({.logits = folder + "test_logits.npy", .labels = folder + "test_labels.npy"}));
  const auto result = repair(val, test);
  EXPECT_NEAR(result.temperature, 2.395, 0.0005);
  EXPECT_NEAR(result.ece_after, 0.0113, 0.00005);
  EXPECT_TRUE(result.same_labels);
}

TEST(temperature, lowers_the_error_of_every_overconfident_network) {
  int overconfident = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tare::detail::testing::source_dir() + "/data")) {
    if (entry.path().extension() != ".npz") continue;
    const auto result = repair(must(read::all_rows({.files = {entry.path()}, .split = "val"})),
                               must(read::all_rows({.files = {entry.path()}, .split = "test"})));
    EXPECT_TRUE(result.same_labels) << entry.path();
    if (result.gap <= 0.01) continue;
    ++overconfident;
    EXPECT_LT(result.ece_after, result.ece_before) << entry.path();
  }
  EXPECT_GE(overconfident, 3);
}

}  // namespace
