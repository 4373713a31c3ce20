#include "tare/analysis/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/data.hpp"

namespace {

using tare::detail::Change;
using tare::detail::analysis::compare;
using tare::detail::analysis::CompareOptions;
using tare::detail::testing::must;

// Labels follow softmax(z); the model reports logits `sharpness` times too large.
struct Network {
  std::vector<double> z;
  std::vector<std::int32_t> label;
  tare::detail::Predictions predictions;

  Network(std::size_t n, std::size_t k, double sharpness, std::uint64_t seed) {
    std::mt19937_64 rng(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> row(k);
      double sum = 0;
      for (double& x : row) sum += std::exp(x = 1.5 * normal(rng));
      double at = uniform(rng) * sum;
      std::int32_t y = 0;
      while (y + 1 < static_cast<std::int32_t>(k) && (at -= std::exp(row[static_cast<std::size_t>(y)])) > 0) ++y;
      label.push_back(y);
      for (const double x : row) z.push_back(sharpness * x);
    }
    predictions.kind = tare::detail::Kind::logits;
    predictions.n = n;
    predictions.k = k;
    predictions.matrix =
        must(tare::detail::multiclass_view(tare::detail::Kind::logits, std::span<const double>(z), k, label));
    predictions.source = "simulated";
  }
};

const tare::detail::MethodResult& of(const tare::detail::Comparison& c, const std::string& method) {
  return *std::find_if(c.methods.begin(), c.methods.end(), [&](const auto& m) { return m.method == method; });
}

const CompareOptions few{.methods = {"temperature", "histogram", "isotonic"}, .resamples = 300};

TEST(compare, finds_that_an_overconfident_network_needs_a_temperature) {
  const Network val(2000, 4, 3, 1), test(3000, 4, 3, 2);
  const auto c = must(compare(val.predictions, &test.predictions, few));
  EXPECT_EQ(c.winner.method, "temperature");
  const auto& t = of(c, "temperature");
  EXPECT_EQ(t.error, of(c, "uncalibrated").error);
  for (const auto& d : t.differences) {
    EXPECT_EQ(d.against, "uncalibrated");
    EXPECT_EQ(d.change, Change::better) << name(d.criterion);
  }
  EXPECT_LT(t.estimates[0].estimate->value, of(c, "uncalibrated").estimates[0].estimate->value / 3);
}

TEST(compare, calls_differences_on_a_calibrated_network_noise) {
  const Network val(2000, 4, 1, 3), test(2000, 4, 1, 4);
  const auto c = must(compare(val.predictions, &test.predictions, few));
  for (const auto& d : of(c, "temperature").differences) EXPECT_EQ(d.change, Change::noise) << name(d.criterion);
}

TEST(compare, with_one_fold_reports_out_of_fold_numbers) {
  const Network val(1000, 3, 3, 5);
  const auto c = must(compare(val.predictions, nullptr, few));
  EXPECT_TRUE(c.cross_validated);
  const auto& t = of(c, "temperature");
  EXPECT_NEAR(t.brier, *t.selection, 1e-12);  // the judged rows are the selecting ones
}

TEST(compare, works_on_binary_input) {
  const Network val(1000, 2, 3, 6), test(1000, 2, 3, 7);
  const auto c = must(compare(val.predictions, &test.predictions, few));
  EXPECT_EQ(c.test.reduction, tare::detail::Reduction::positive);
  EXPECT_LT(of(c, "temperature").brier, of(c, "uncalibrated").brier);
}

// Confidences with their hits: the same numbers as the probabilities of a class 1 that is a hit, but for the error,
// which is that of the predictions.
TEST(compare, works_on_confidences) {
  std::mt19937_64 rng(11);
  std::uniform_real_distribution<double> uniform(0.3, 1);
  std::vector<double> score;
  std::vector<std::uint8_t> hit;
  std::vector<std::int32_t> label;
  double hits = 0;
  for (int i = 0; i < 500; ++i) {
    score.push_back(uniform(rng));
    hit.push_back(std::uniform_real_distribution<double>()(rng) < 0.7 * score.back());
    label.push_back(hit.back());
    hits += hit.back();
  }
  tare::detail::Predictions bare, two;
  bare.kind = tare::detail::Kind::confidences;
  bare.n = two.n = score.size();
  bare.confidences = must(tare::detail::binary_view(std::span<const double>(score), hit));
  two.kind = tare::detail::Kind::probs;
  two.matrix = must(tare::detail::multiclass_view(tare::detail::Kind::probs, std::span<const double>(score), 1, label));
  const auto a = must(compare(bare, nullptr, few)), b = must(compare(two, nullptr, few));
  EXPECT_EQ(a.test.reduction, tare::detail::Reduction::top_label);
  EXPECT_NE(a.winner.method, "uncalibrated");
  for (std::size_t m = 0; m < a.methods.size(); ++m) {
    EXPECT_EQ(a.methods[m].brier, b.methods[m].brier);
    EXPECT_EQ(a.methods[m].estimates[0].estimate->value, b.methods[m].estimates[0].estimate->value);
    EXPECT_NEAR(a.methods[m].error, 1 - hits / 500, 1e-12);
  }
  EXPECT_FALSE(compare(bare, &two, few));
}

// Five rows in five folds, one of them with weight: nothing can be fitted without it, and that is said.
TEST(compare, says_so_where_folds_have_no_weight) {
  Network net(5, 3, 2, 4);
  const std::vector<double> weight{1, 0, 0, 0, 0};
  net.predictions.matrix = must(
      tare::detail::multiclass_view(tare::detail::Kind::logits, std::span<const double>(net.z), 3, net.label, weight));
  const auto c = must(compare(net.predictions, nullptr, few));
  EXPECT_NE(of(c, "temperature").reason.find("all weights are 0"), std::string::npos) << of(c, "temperature").reason;
  EXPECT_EQ(c.winner.method, "uncalibrated");
}

TEST(compare, gives_the_same_bits_for_any_number_of_threads) {
  const Network val(500, 3, 2, 8), test(500, 3, 2, 9);
  auto options = few;
  const auto one = must(compare(val.predictions, &test.predictions, options));
  options.threads = options.fit.threads = 3;
  const auto three = must(compare(val.predictions, &test.predictions, options));
  for (std::size_t m = 0; m < one.methods.size(); ++m) {
    EXPECT_EQ(one.methods[m].brier, three.methods[m].brier);
    for (std::size_t d = 0; d < one.methods[m].differences.size(); ++d)
      EXPECT_EQ(one.methods[m].differences[d].high, three.methods[m].differences[d].high);
  }
}

TEST(compare, refuses_what_has_no_meaning) {
  const Network val(100, 3, 1, 1), other(100, 4, 1, 1);
  const auto code = [&](CompareOptions o, const tare::detail::Predictions* test) {
    return compare(val.predictions, test, o).error().code;
  };
  EXPECT_EQ(code({.methods = {"no_such"}}, nullptr), tare::detail::Errc::bad_option);
  EXPECT_EQ(code({.estimators = {"no_such"}}, nullptr), tare::detail::Errc::bad_option);
  EXPECT_EQ(code({.estimators = {"debias_em:1"}}, nullptr), tare::detail::Errc::bad_option);
  EXPECT_EQ(code({.criterion = "ece_ew"}, nullptr), tare::detail::Errc::bad_option);
  EXPECT_EQ(code({.folds = 1}, nullptr), tare::detail::Errc::bad_option);
  EXPECT_EQ(code({}, &other.predictions), tare::detail::Errc::bad_input);
}

}  // namespace
