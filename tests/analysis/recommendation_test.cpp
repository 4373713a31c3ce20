#include "tare/analysis/recommendation.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace {

using tare::detail::Change;
using tare::detail::Criterion;
using tare::detail::Winner;
using tare::detail::analysis::OutOfFold;
using tare::detail::analysis::recommend;

// Losses of 1024 rows around a mean, with noise that all methods share and noise of their own that sums to 0.
std::vector<double> losses(double mean, double own, unsigned pattern, std::size_t n = 1024) {
  std::mt19937_64 shared(99);
  std::normal_distribution<double> normal;
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(mean + 0.3 * normal(shared) + (std::popcount(i & pattern) % 2 == 0 ? own : -own));
  return out;
}

Winner among(std::vector<OutOfFold> methods, std::span<const double> weight = {}) {
  for (OutOfFold& m : methods) {
    double sum = 0, total = 0;
    for (std::size_t i = 0; i < m.loss.size(); ++i) {
      const double w = weight.empty() ? 1 : weight[i];
      sum += w * m.loss[i];
      total += w;
    }
    m.mean = sum / total;
  }
  return recommend(methods, weight, Criterion::brier);
}

TEST(recommendation, is_the_lowest_loss_where_the_gain_is_clear) {
  const auto raw = losses(0.5, 0.1, 1), small = losses(0.4, 0.1, 2), large = losses(0.3, 0.1, 3);
  const auto w = among({{"uncalibrated", 0, raw}, {"temperature", 1, small}, {"vector", 3, large}});
  EXPECT_EQ(w.method, "vector");
  EXPECT_EQ(w.best, "vector");
  EXPECT_FALSE(w.lead);
  ASSERT_TRUE(w.gain);
  EXPECT_EQ(w.gain->change, Change::better);
  // the mean of the differences, and 1.96 standard errors
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) mean += (large[i] - raw[i]) / 1024;
  for (std::size_t i = 0; i < raw.size(); ++i) squares += std::pow(large[i] - raw[i] - mean, 2);
  EXPECT_NEAR(w.gain->value, mean, 1e-13);
  EXPECT_NEAR(w.gain->high - w.gain->value, 1.959963984540054 * std::sqrt(squares / 1023 / 1024), 1e-9);
}

TEST(recommendation, leaves_the_model_alone_where_the_gain_may_be_noise) {
  const auto raw = losses(0.5, 0.1, 1), close = losses(0.499, 0.1, 2);
  const auto w = among({{"uncalibrated", 0, raw}, {"platt", 3, close}});
  EXPECT_EQ(w.method, "uncalibrated");
  EXPECT_EQ(w.best, "platt");
  EXPECT_EQ(w.gain->change, Change::noise);
}

TEST(recommendation, says_nothing_of_a_gain_where_nothing_is_better) {
  const auto raw = losses(0.5, 0.1, 1), worse = losses(0.6, 0.1, 2);
  const auto w = among({{"uncalibrated", 0, raw}, {"platt", 3, worse}, {"bbq", 4, {}}});
  EXPECT_EQ(w.method, "uncalibrated");
  EXPECT_EQ(w.best, "uncalibrated");
  EXPECT_FALSE(w.gain);
}

// Leads of the largest model over the others: less than 2 standard errors, more than caution takes off.
TEST(recommendation, names_the_simplest_method_that_is_as_good) {
  const double se = 0.1 * std::sqrt(2.0 / 1023);
  const auto raw = losses(0.5, 0.1, 1), one = losses(0.4 + 1.5 * se, 0.1, 2), few = losses(0.4 + 1.3 * se, 0.1, 3),
             many = losses(0.4, 0.1, 4), other = losses(0.4 + 1.4 * se, 0.1, 5);
  std::vector<OutOfFold> methods{
      {"uncalibrated", 0, raw}, {"vector", 3, few}, {"temperature", 1, one}, {"platt", 3, other}, {"matrix", 5, many}};
  auto w = among(methods);
  EXPECT_EQ(w.method, "matrix");
  ASSERT_TRUE(w.lead) << w.method;
  EXPECT_EQ(w.lead->against, "temperature");
  EXPECT_EQ(w.lead->change, Change::noise);
  EXPECT_LE(w.lead->value, 0);
}

// Half a standard error is taken off the gain of one number, one off that of a few per class, one and a half off
// others.
TEST(recommendation, takes_the_simpler_of_two_that_are_as_good) {
  const double se = 0.1 * std::sqrt(2.0 / 1023);
  const auto raw = losses(0.5, 0.1, 1), simple = losses(0.4, 0.1, 2);
  const auto against = [&](int complexity, double lead) {
    const auto other = losses(0.4 - lead * se, 0.1, 4);
    return among({{"uncalibrated", 0, raw}, {"other", complexity, other}, {"temperature", 1, simple}});
  };
  for (const auto& [complexity, price] : {std::pair(3, 0.5), std::pair(4, 1.0), std::pair(5, 1.0)}) {
    const auto w = against(complexity, price - 0.1);
    EXPECT_EQ(w.method, "temperature") << complexity;
    EXPECT_EQ(w.best, "other");
    EXPECT_NEAR(w.gain->value, -0.1, 1e-12) << "of the method that is recommended";
    EXPECT_FALSE(w.lead);
    EXPECT_EQ(against(complexity, price + 0.1).method, "other") << complexity;
  }
  EXPECT_EQ(against(2, 0.01).method, "other");
}

// A gain of 2.2 standard errors: clear for one method, but not for the best of ten, none of which is simpler and
// better.
TEST(recommendation, counts_the_methods_that_were_tried) {
  const double se = 0.1 * std::sqrt(2.0 / 1023);
  const auto raw = losses(0.5, 0.1, 1), best = losses(0.5 - 2.2 * se, 0.1, 2), none = losses(0.5, 0.1, 4);
  EXPECT_EQ(among({{"uncalibrated", 0, raw}, {"platt", 3, best}}).method, "platt");
  std::vector<OutOfFold> many{{"uncalibrated", 0, raw}, {"platt", 3, best}, {"temperature", 1, none}};
  for (int i = 0; i < 8; ++i) many.push_back({"other", 4, none});
  EXPECT_EQ(among(many).method, "uncalibrated");
  EXPECT_EQ(among(many).best, "platt");
  const auto simple = losses(0.5 - 2.1 * se, 0.1, 4);  // one look at one number is clear
  many[2].loss = simple;
  EXPECT_EQ(among(many).method, "temperature");
  EXPECT_EQ(among(many).best, "platt");
  const auto clear = losses(0.5 - 2.8 * se, 0.1, 2);  // of eleven: above 2.6
  many[1].loss = clear;
  EXPECT_EQ(among(many).method, "platt");
  EXPECT_EQ(among(many).lead->against, "temperature");
}

TEST(recommendation, knows_infinite_losses) {
  auto raw = losses(0.5, 0.1, 1), fine = losses(0.6, 0.1, 2), low = losses(0.1, 0.1, 3);
  raw[7] = low[8] = HUGE_VAL;
  const auto w = among({{"uncalibrated", 0, raw}, {"isotonic", 4, low}, {"temperature", 1, fine}});
  EXPECT_EQ(w.method, "temperature");
  EXPECT_EQ(w.gain->change, Change::better);
}

TEST(recommendation, counts_a_weight_of_two_as_two_rows) {
  const auto raw = losses(0.5, 0.2, 1, 128), better = losses(0.48, 0.2, 2, 128);
  const std::vector<double> two(128, 2.0);
  auto twice = [](std::vector<double> x) {
    x.insert(x.end(), x.begin(), x.begin() + 128);
    return x;
  };
  const auto raw2 = twice(raw), better2 = twice(better);
  const auto a = among({{"uncalibrated", 0, raw}, {"platt", 3, better}}, two);
  const auto b = among({{"uncalibrated", 0, raw2}, {"platt", 3, better2}});
  ASSERT_EQ(a.gain.has_value(), b.gain.has_value());
  ASSERT_TRUE(a.gain);
  EXPECT_NEAR(a.gain->low, b.gain->low, 1e-12);
}

}  // namespace
