// Probabilities of exactly 0 and 1 under the maps that take logarithms.
#include "tare/fit/zeros.hpp"

#include <cmath>
#include <numeric>

#include "fit/maps.hpp"
#include "fit/scaled.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

const std::vector<std::string> logarithmic{"temperature",          "vector", "matrix", "dirichlet",
                                           "ensemble_temperature", "platt",  "beta",   "scaling_binning"};

double parameter_of(const Model& model, const std::string& name) { return std::get<double>(model.parameters.at(name)); }

// Shares of `trees` votes, as forests give them: zeros are frequent, and right less often than they say. With two
// classes one column, otherwise k.
Matrix votes(std::size_t n, std::size_t k, int trees, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal(0, 1.5);
  std::uniform_real_distribution<double> uniform;
  Matrix out{.kind = Kind::probs, .columns = k == 2 ? 1 : k, .values = {}, .label = {}};
  const auto draw = [&](const std::vector<double>& p) {
    double u = uniform(rng);
    std::size_t j = 0;
    while (j + 1 < p.size() && u > p[j]) u -= p[j++];
    return j;
  };
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> p(k), count(k);
    for (double& x : p) x = std::exp(normal(rng));
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& x : p) x /= sum;
    out.label.push_back(static_cast<std::int32_t>(draw(p)));
    for (int t = 0; t < trees; ++t) ++count[draw(p)];
    for (std::size_t j = k == 2 ? 1 : 0; j < k; ++j) out.values.push_back(count[j] / trees);
  }
  return out;
}

double brier_of(const std::vector<double>& q, const Matrix& data) {
  double sum = 0;
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (std::size_t j = 0; j < data.columns; ++j) {
      const std::int32_t wanted = data.columns == 1 ? 1 : static_cast<std::int32_t>(j);
      sum += std::pow(q[i * data.columns + j] - (data.label[i] == wanted), 2);
    }
  return sum / static_cast<double>(data.rows());
}

TEST(zeros, rates_count_what_happened_against_them) {
  // four certain rows, one of them wrong; one column says the same as two
  const Matrix two{.columns = 2, .values = {1, 0, 0, 1, 1, 0, 1, 0, 0.5, 0.5}, .label = {0, 1, 0, 1, 1}};
  EXPECT_DOUBLE_EQ(fit::zero_rates(two.view(), 1)->certain, 1.5 / 5);
  const Matrix one{.columns = 1, .values = {0, 1, 0, 0, 0.5}, .label = {0, 1, 0, 1, 1}};
  EXPECT_DOUBLE_EQ(fit::zero_rates(one.view(), 1)->certain, 1.5 / 5);
  // two certain rows, both right; three rows with zeros that leave two classes, one wrong
  const Matrix three{.columns = 3,
                     .values = {1, 0, 0, 0, 0, 1, 0.6, 0.4, 0, 0, 0.5, 0.5, 0.75, 0, 0.25, 0.5, 0.25, 0.25},
                     .label = {0, 2, 2, 1, 0, 0}};
  const auto rates = fit::zero_rates(three.view(), 2);
  EXPECT_DOUBLE_EQ(rates->certain, 0.5 / 3);
  EXPECT_DOUBLE_EQ(rates->partial, 1.5 / 4);
}

TEST(zeros, a_kind_of_row_that_does_not_occur_takes_the_rate_of_the_other) {
  const Matrix certain{.columns = 3, .values = {1, 0, 0, 0, 1, 0}, .label = {0, 1}};
  EXPECT_DOUBLE_EQ(fit::zero_rates(certain.view(), 1)->partial, 0.5 / 3);
  const Matrix partial{.columns = 3, .values = {0.5, 0.5, 0, 0, 0.5, 0.5}, .label = {0, 0}};
  EXPECT_DOUBLE_EQ(fit::zero_rates(partial.view(), 1)->certain, 1.5 / 3);
}

TEST(zeros, nothing_is_counted_without_them) {
  EXPECT_FALSE(fit::zero_rates(binary({{0.2, 0.9}, {0, 1}}).view(), 1));
  EXPECT_FALSE(fit::zero_rates(simulated_logits(10, 3, 1, 1).view(), 1));
  EXPECT_FALSE(fit::zero_rates(binary({{0.2, 1, 0.9}, {0, 0, 1}, {1, 0, 1}}).view(), 1));  // a row of weight 0
}

// 1e-200 is a zero where there are zeros, and a number where there are none.
TEST(zeros, numbers_that_vanish_beside_1_are_zeros) {
  const Matrix tiny{.columns = 2, .values = {1, 1e-200, 0.5, 0.5, 1, 1e-10}, .label = {1, 0, 0}};
  EXPECT_FALSE(fit::zero_rates(tiny.view(), 1));
  Matrix mixed = tiny;
  mixed.values.insert(mixed.values.end(), {0, 1});
  mixed.label.push_back(1);
  EXPECT_DOUBLE_EQ(fit::zero_rates(mixed.view(), 1)->certain, 1.5 / 3);
  const auto out = fit::fill_zeros(std::span<const double>(tiny.values), 2, {0.25, 0.25}, false);
  EXPECT_EQ(out, (std::vector<double>{0.75, 0.25, 0.5, 0.5, 1, 1e-10}));
  const Matrix one{.columns = 1, .values = {1e-200, 1, 0.5}, .label = {1, 1, 0}};
  EXPECT_DOUBLE_EQ(fit::zero_rates(one.view(), 1)->certain, 1.5 / 3);
}

TEST(zeros, share_the_rate_and_leave_other_rows_alone) {
  const std::vector<double> in{0.6, 0.4, 0, 0, 1, 0, 0, 0, 0.2, 0.3, 0.4, 0.1};
  const auto out = fit::fill_zeros(std::span<const double>(in), 4, {0.3, 0.2}, false);
  const std::vector<double> expected{0.48, 0.32, 0.1, 0.1, 0.7, 0.1, 0.1, 0.1, 0.2, 0.3, 0.4, 0.1};
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_NEAR(out[i], expected[i], 1e-15);
  const std::vector<float> one{0, 1, 0.25F};
  EXPECT_EQ(fit::fill_zeros(std::span<const float>(one), 1, {0.3, 0.2}, false), (std::vector{0.3, 0.7, 0.25}));
}

TEST(zeros, never_overtake_the_top_label_where_that_is_promised) {
  const std::vector<double> in{0.4, 0.6, 0, 0, 1, 0};
  const auto out = fit::fill_zeros(std::span<const double>(in), 3, {0.9, 0.7}, true);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto row = std::span<const double>(out).subspan(3 * i, 3);
    EXPECT_EQ(std::max_element(row.begin(), row.end()) - row.begin(), 1);
    EXPECT_NEAR(row[0] + row[1] + row[2], 1, 1e-15);
  }
  // confident rows of which three in four are wrong: a temperature can only say 1/2, Platt scaling says what is true
  Matrix data{.columns = 1, .values = {}, .label = {}};
  for (std::int32_t i = 0; i < 400; ++i) {
    data.values.push_back(i % 2);
    data.label.push_back(i % 8 < 2 ? i % 2 : 1 - i % 2);
  }
  for (std::int32_t i = 0; i < 100; ++i) {
    data.values.push_back(i % 2 ? 0.6 : 0.4);
    data.label.push_back(i % 20 < 2 ? 1 - i % 2 : i % 2);
  }
  EXPECT_NEAR(applied(fitted("platt", data), {1})[0], 0.25, 0.05);
  const auto cool = applied(fitted("temperature", data), {0, 1});
  EXPECT_LT(cool[0], 0.5);
  EXPECT_GT(cool[1], 0.5);
  EXPECT_NEAR(cool[1], 0.5, 1e-3);
}

TEST(zeros, temperature_in_closed_form) {
  // all rows are certain, one in four is wrong: (0.7, 0.3) must become (3/4, 1/4)
  const Matrix data{.columns = 2, .values = {1, 0, 0, 1, 1, 0, 1, 0}, .label = {0, 1, 0, 1}};
  const Model model = fitted("temperature", data);
  EXPECT_EQ(model.fit.status, FitStatus::converged);
  EXPECT_FALSE(model.fit.nll_before.has_value());  // infinite
  EXPECT_NE(model.fit.note.find("1 row gives probability 0 to what happened"), std::string::npos);
  EXPECT_NEAR(*model.fit.nll_after, -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-12);
  EXPECT_NEAR(parameter_of(model, "temperature"), std::log(7.0 / 3) / std::log(3.0), 1e-9);
  EXPECT_NEAR(applied(model, {1, 0})[0], 0.75, 1e-9);
}

TEST(zeros, platt_in_closed_form) {
  // two numbers for two scores: the share of each side
  const Matrix data{.columns = 1, .values = {0, 0, 0, 1, 1, 1, 1}, .label = {0, 0, 1, 1, 1, 0, 1}};
  const auto q = applied(fitted("platt", data), {0, 1});
  EXPECT_NEAR(q[0], 1.0 / 3, 1e-9);
  EXPECT_NEAR(q[1], 3.0 / 4, 1e-9);
}

TEST(zeros, one_impossible_row_does_not_decide) {
  Rows rows = calibrated(2000, 3);
  const double before = parameter_of(fitted("temperature", binary(rows)), "temperature");
  rows.score.push_back(0);
  rows.label.push_back(1);
  EXPECT_NEAR(parameter_of(fitted("temperature", binary(rows)), "temperature"), before, 0.02);
  for (const auto& method : logarithmic) {
    const auto q = applied(fitted(method, binary(rows)), {0.1, 0.5, 0.9});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(q[i], 0.1 + 0.4 * static_cast<double>(i), 0.08) << method;
  }
}

TEST(zeros, repairs_of_votes_do_no_harm) {
  for (const std::size_t k : {2U, 4U}) {
    const Matrix fit_rows = votes(2000, k, 8, 1), held_out = votes(4000, k, 8, 2);
    for (const auto& method : logarithmic) {
      if (method == "scaling_binning" && k > 2) continue;  // its bins throw information away, zeros or not
      EXPECT_LT(brier_of(applied(fitted(method, fit_rows), held_out.values), held_out),
                brier_of(held_out.values, held_out))
          << method << k;
    }
  }
}

TEST(zeros, float32_and_float64_give_the_same_bits) {
  for (const std::size_t k : {2U, 3U}) {
    const Matrix data = votes(500, k, 16, 5);  // sixteenths are the same in both
    const std::vector<float> narrow(data.values.begin(), data.values.end());
    for (const auto& method : logarithmic) {
      const fit::Calibrator& row = *fit::find(method);
      const Model wide = fitted(method, data);
      const Model model = must(
          row.fit(must(multiclass_view(Kind::probs, std::span<const float>(narrow), data.columns, data.label)), {}));
      EXPECT_EQ(fit::to_json(model), fit::to_json(wide)) << method;
      std::vector<double> out(narrow.size());
      must(row.load(model))->apply(std::span<const float>(narrow), out);
      EXPECT_EQ(out, applied(wide, data.values)) << method;
    }
  }
}

TEST(zeros, neither_row_order_nor_threads_change_a_bit) {
  const Matrix data = votes(3000, 3, 8, 7);
  Matrix reversed = data;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    reversed.label[i] = data.label[data.rows() - 1 - i];
    for (std::size_t j = 0; j < 3; ++j) reversed.values[3 * i + j] = data.values[3 * (data.rows() - 1 - i) + j];
  }
  for (const char* method : {"temperature", "platt", "beta"})
    EXPECT_EQ(fit::to_json(fitted(method, data)), fit::to_json(fitted(method, reversed, {.threads = 3}))) << method;
}

TEST(zeros, the_unit_of_the_weights_does_not_matter) {
  Matrix data = votes(600, 3, 8, 9);
  for (std::size_t i = 0; i < data.rows(); ++i) data.weight.push_back(static_cast<double>(i % 4));
  const auto rates = *fit::zero_rates(data.view(), 1);
  for (const double unit : {0.01, 0.3, 1e6}) {
    Matrix scaled = data;
    for (double& w : scaled.weight) w *= unit;
    const auto same = *fit::zero_rates(scaled.view(), 2);
    EXPECT_NEAR(same.certain, rates.certain, 1e-13);
    EXPECT_NEAR(same.partial, rates.partial, 1e-13);
  }
  // whole weights are repetitions, in any unit
  Matrix repeated{.columns = 3, .values = {}, .label = {}};
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (std::size_t r = 0; r < i % 4; ++r) {
      repeated.label.push_back(data.label[i]);
      repeated.values.insert(repeated.values.end(), &data.values[3 * i], &data.values[3 * i] + 3);
    }
  EXPECT_EQ(fit::zero_rates(repeated.view(), 1)->certain, rates.certain);
  EXPECT_EQ(fit::zero_rates(repeated.view(), 1)->partial, rates.partial);
  data.weight.clear();
  const auto plain = *fit::zero_rates(data.view(), 1);
  data.weight.assign(data.rows(), 0.1);
  EXPECT_EQ(fit::zero_rates(data.view(), 1)->certain, plain.certain);
}

TEST(zeros, weighted_rates_by_hand) {
  // whole multiples of the smallest: the wrong row twice, of three
  const Matrix whole{.columns = 1, .values = {0.5, 1, 0}, .label = {1, 1, 1}, .weight = {3, 3, 6}};
  EXPECT_DOUBLE_EQ(fit::zero_rates(whole.view(), 1)->certain, 2.5 / 4);
  // others: the certain rows have 3/4 of the weight of three rows, the wrong one 1/3 of it
  const Matrix data{.columns = 1, .values = {0.5, 1, 0}, .label = {1, 1, 1}, .weight = {1.5, 2.5, 2}};
  EXPECT_NEAR(fit::zero_rates(data.view(), 1)->certain, (3 / 3.0 + 0.5) / (3 * 0.75 + 1), 1e-15);
}

TEST(zeros, are_saved_with_the_model) {
  for (const auto& method : logarithmic) {
    const Matrix data = votes(300, 3, 4, 11);
    const Model model = fitted(method, data);
    const auto rates = *fit::zero_rates(data.view(), 1);
    EXPECT_EQ(parameter_of(model, "certain_rate"), rates.certain);
    EXPECT_EQ(parameter_of(model, "zero_rate"), rates.partial);
    const std::string text = fit::to_json(model);
    EXPECT_NE(text.find("\"format\": 2"), std::string::npos);
    const Model again = must(fit::from_json(text, "model.json"));
    EXPECT_EQ(applied(again, data.values), applied(model, data.values)) << method;
    for (const double bad : {0.0, 1.0, -0.1, std::nan("")}) {
      Model broken = model;
      broken.parameters["certain_rate"] = bad;
      EXPECT_FALSE(fit::find(method)->load(broken)) << method;
    }
    Model broken = model;
    broken.parameters.erase("zero_rate");
    EXPECT_FALSE(fit::find(method)->load(broken)) << method;
  }
}

TEST(zeros, leave_no_trace_where_there_are_none) {
  const Matrix data = softmaxed(simulated_logits(300, 3, 1.5, 13));
  for (const auto& method : logarithmic) {
    const Model model = fitted(method, data);
    EXPECT_FALSE(model.parameters.contains("certain_rate")) << method;
    EXPECT_NE(fit::to_json(model).find("\"format\": 1"), std::string::npos) << method;
    // rows with zeros that come later are still given probabilities
    expect_probabilities(applied(model, {1, 0, 0, 0.5, 0, 0.5, 0.2, 0.3, 0.5}), 3);
  }
  for (const char* method : {"histogram", "isotonic", "bbq"})  // no logarithms
    EXPECT_FALSE(fitted(method, votes(300, 3, 4, 11)).parameters.contains("certain_rate")) << method;
}

}  // namespace
