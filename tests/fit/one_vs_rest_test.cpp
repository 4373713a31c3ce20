// What all one-dimensional calibrators share: several classes, weights, order, bits, edges of the input.
#include "tare/fit/one_vs_rest.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fit/maps.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

const std::vector<std::string> methods{"histogram", "isotonic", "bbq", "platt", "beta", "scaling_binning"};

struct Variant {
  std::string method;
  fit::Options options = {};
};

std::vector<Variant> variants() {
  std::vector<Variant> out;
  for (const auto& m : methods) out.push_back({m});
  out.push_back({"histogram", {.binning = numeric::Binning::mass}});
  out.push_back({"isotonic", {.step = true}});
  out.push_back({"platt", {.smooth_targets = true}});
  out.push_back({"scaling_binning", {.share_rows = true}});
  return out;
}

void expect_rows_of_probabilities(const std::vector<double>& q, std::size_t columns, const std::string& what) {
  for (std::size_t i = 0; i < q.size(); i += columns) {
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      ASSERT_TRUE(q[i + j] >= 0 && q[i + j] <= 1) << what << ": " << q[i + j];
      sum += q[i + j];
    }
    if (columns > 1) {
      ASSERT_NEAR(sum, 1, 1e-12) << what;
    }
  }
}

// Three classes of probabilities worked out on paper: two bins, per class the share of its labels, divided by the sum.
TEST(one_vs_rest, renormalises_by_hand) {
  const Matrix data{
      .columns = 3, .values = {0.8, 0.1, 0.1, 0.7, 0.2, 0.1, 0.2, 0.6, 0.2, 0.1, 0.1, 0.8}, .label = {0, 1, 1, 2}};
  // class 0: upper bin 1/2, lower 0/2; class 1: upper 1/1, lower 1/3; class 2: upper 1/1, lower 0/3
  const auto q = applied(fitted("histogram", data, {.bins = 2}), {0.9, 0.05, 0.05});
  EXPECT_DOUBLE_EQ(q[0], 0.5 / (0.5 + 1.0 / 3));
  EXPECT_DOUBLE_EQ(q[1], (1.0 / 3) / (0.5 + 1.0 / 3));
  EXPECT_EQ(q[2], 0);
}

// caltrain and netcal divide 0 by 0 here; scikit-learn answers 1/K.
TEST(one_vs_rest, a_row_without_any_evidence_keeps_its_probabilities) {
  // every class is certain in the upper of two bins and has no hits in the lower one
  const Matrix data{.columns = 3, .values = {0.9, 0.05, 0.05, 0.05, 0.9, 0.05, 0.05, 0.05, 0.9}, .label = {0, 1, 2}};
  const Model model = fitted("histogram", data, {.bins = 2});
  EXPECT_EQ(applied(model, {0.4, 0.35, 0.25}), (std::vector<double>{0.4, 0.35, 0.25}));
  // a row that sums to 1 only nearly leaves as one that does
  const auto nearly = applied(model, {0.4, 0.3, 0.3003});
  EXPECT_NEAR(nearly[0] + nearly[1] + nearly[2], 1, 1e-15);
  EXPECT_NEAR(nearly[0], 0.4 / 1.0003, 1e-15);
  // logits keep their softmax
  Matrix logits = data;
  logits.kind = Kind::logits;
  for (double& z : logits.values) z = std::log(z) + 3;
  const auto kept = applied(fitted("histogram", logits, {.bins = 2}), {std::log(0.4), std::log(0.35), std::log(0.25)});
  EXPECT_NEAR(kept[0], 0.4, 1e-15);
  EXPECT_NEAR(kept[1], 0.35, 1e-15);
  EXPECT_NEAR(kept[2], 0.25, 1e-15);
}

TEST(one_vs_rest, a_class_without_rows_gets_nothing_from_counting_methods) {
  Matrix data = softmaxed(simulated_logits(200, 4, 1.5, 7));
  for (auto& y : data.label) y = y == 3 ? 0 : y;
  for (const char* method : {"histogram", "isotonic"}) {
    const auto q = applied(fitted(method, data, {.bins = 1}), data.values);
    for (std::size_t i = 0; i < data.rows(); ++i) EXPECT_EQ(q[4 * i + 3], 0) << method;
  }
  for (const auto& v : variants())
    expect_rows_of_probabilities(applied(fitted(v.method, data, v.options), data.values), 4, v.method);
}

TEST(one_vs_rest, no_input_breaks_a_map) {
  for (const auto& v : variants()) {
    const auto check = [&](const Matrix& data, bool absurd = false) {
      const Model model = fitted(v.method, data, v.options);
      expect_rows_of_probabilities(applied(model, data.values), data.columns, v.method);
      if (absurd) return;  // z^2 is no number any more: the status may say that the fit stopped early
      EXPECT_LE(model.fit.gradient.value_or(0), 1e-8) << v.method;
    };
    check({.columns = 1, .values = {0.5}, .label = {1}});
    check({.columns = 2, .values = {0, 1}, .label = {0}});
    check({.columns = 3, .values = {1, 0, 0}, .label = {2}});
    check({.columns = 3, .values = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .label = {0, 1, 2}});
    check({.columns = 3, .values = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .label = {1, 1, 1}});
    check({.kind = Kind::logits, .columns = 1, .values = {1e4, -1e4, 3}, .label = {1, 0, 0}});
    check({.kind = Kind::logits, .columns = 1, .values = {1e308, -1e308, 3, 2}, .label = {1, 0, 0, 1}}, true);
    check({.kind = Kind::logits, .columns = 2, .values = {1e308, -1e308, -1e308, 1e308, 0, 0}, .label = {1, 0, 0}},
          true);
    check({.kind = Kind::logits, .columns = 3, .values = {1e4, -1e4, 0, -1e4, 1e4, 0, 5, 5, 5}, .label = {0, 2, 1}});
    check({.kind = Kind::logits, .columns = 3, .values = {1e308, -1e308, 0, 0, 0, 0}, .label = {0, 2}}, true);
  }
}

TEST(one_vs_rest, many_classes_work) {
  const Matrix data = simulated_logits(300, 100, 2, 5);
  for (const auto& v : variants()) {
    const auto q = applied(fitted(v.method, data, v.options), data.values);
    expect_rows_of_probabilities(q, 100, v.method);
  }
}

// A map that learned from over-confident logits has a lower log loss on fresh ones.
TEST(one_vs_rest, parametric_maps_help_on_new_rows) {
  const Matrix fit_rows = simulated_logits(3000, 5, 2.5, 11), test = simulated_logits(3000, 5, 2.5, 12);
  for (const char* method : {"platt", "beta", "bbq"}) {
    const auto q = applied(fitted(method, fit_rows), test.values);
    double before = 0, after = 0;
    const Matrix plain = softmaxed(test);
    for (std::size_t i = 0; i < test.rows(); ++i) {
      const auto y = static_cast<std::size_t>(test.label[i]);
      before -= std::log(plain.values[5 * i + y]);
      after -= std::log(q[5 * i + y]);
    }
    EXPECT_LT(after, before) << method;
  }
}

TEST(one_vs_rest, weight_two_is_the_row_twice) {
  for (const std::size_t columns : {1U, 3U})
    for (const auto& v : variants()) {
      Matrix weighted = columns == 1 ? binary(calibrated(60, 2)) : softmaxed(simulated_logits(60, 3, 2, 2)),
             twice = weighted;
      for (std::size_t i = 0; i < weighted.rows(); ++i) weighted.weight.push_back(i % 3 == 0 ? 2 : 1);
      for (std::size_t i = 0; i < weighted.rows(); i += 3) {
        for (std::size_t j = 0; j < columns; ++j) twice.values.push_back(weighted.values[i * columns + j]);
        twice.label.push_back(weighted.label[i]);
      }
      const Model a = fitted(v.method, weighted, v.options), b = fitted(v.method, twice, v.options);
      EXPECT_EQ(applied(a, weighted.values), applied(b, weighted.values)) << v.method;
      EXPECT_EQ(a.fit.status, b.fit.status);
      EXPECT_DOUBLE_EQ(a.fit.nll_after.value_or(-1), b.fit.nll_after.value_or(-1)) << v.method;
    }
}

TEST(one_vs_rest, rows_of_weight_zero_do_not_count) {
  for (const auto& v : variants()) {
    Matrix some = binary(calibrated(50, 8)), more = some;
    some.weight.assign(50, 1);
    more.weight = some.weight;
    for (int i = 0; i < 5; ++i) {
      more.values.push_back(i / 5.0);
      more.label.push_back(1);
      more.weight.push_back(0);
    }
    EXPECT_EQ(applied(fitted(v.method, some, v.options), some.values),
              applied(fitted(v.method, more, v.options), some.values))
        << v.method;
  }
}

RC_GTEST_PROP(one_vs_rest, neither_row_order_nor_threads_change_a_bit, (std::uint64_t seed)) {
  const auto columns = *rc::gen::element<std::size_t>(1, 2, 4);
  const auto n = *rc::gen::inRange<std::size_t>(1, 80);
  Matrix data = softmaxed(simulated_logits(n, std::max<std::size_t>(columns, 2), 2, seed));
  if (columns == 1) {
    data = binary(calibrated(n, seed));
    for (double& s : data.values) s = std::round(s * 16) / 16;
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  Matrix mixed{.columns = columns, .values = {}, .label = {}};
  for (const auto i : order) {
    for (std::size_t j = 0; j < columns; ++j) mixed.values.push_back(data.values[i * columns + j]);
    mixed.label.push_back(data.label[i]);
  }
  for (const auto& v : variants()) {
    fit::Options threaded = v.options;
    threaded.threads = 3;
    RC_ASSERT(fit::to_json(fitted(v.method, data, v.options)) == fit::to_json(fitted(v.method, mixed, threaded)));
  }
}

RC_GTEST_PROP(one_vs_rest, the_saved_form_maps_to_the_same_bits, (std::uint64_t seed)) {
  const auto columns = *rc::gen::element<std::size_t>(1, 2, 5);
  const auto n = *rc::gen::inRange<std::size_t>(1, 60);
  const Matrix data = columns == 1 ? binary(calibrated(n, seed)) : simulated_logits(n, columns, 2, seed);
  for (const auto& v : variants()) {
    const Model model = fitted(v.method, data, v.options);
    const Model again = must(fit::from_json(fit::to_json(model), "memory"));
    RC_ASSERT(applied(model, data.values) == applied(again, data.values));
    RC_ASSERT(fit::to_json(model) == fit::to_json(again));
  }
}

// Confidences are numbers between 0 and 1 for every method, also for those that would take logits.
TEST(one_vs_rest, confidences_are_read_as_probabilities) {
  const Matrix data = binary(calibrated(200, 6));
  for (const fit::Calibrator& row : fit::all()) {
    Model model = must(row.fit(data.view(), {}));
    const auto q = applied(model, data.values);
    model.input = Kind::confidences;
    EXPECT_EQ(applied(model, data.values), q) << row.name;
  }
}

// Applying in one call or row by row is the same.
TEST(one_vs_rest, blocks_do_not_show) {
  const Matrix data = simulated_logits(500, 300, 2, 3);
  const Model model = fitted("platt", data);
  const auto all = applied(model, data.values);
  for (const std::size_t i : {0U, 108U, 109U, 110U, 499U}) {
    const std::vector<double> row(data.values.begin() + static_cast<long>(i) * 300,
                                  data.values.begin() + static_cast<long>(i + 1) * 300);
    const auto q = applied(model, row);
    EXPECT_TRUE(std::equal(q.begin(), q.end(), all.begin() + static_cast<long>(i) * 300)) << i;
  }
}

}  // namespace
