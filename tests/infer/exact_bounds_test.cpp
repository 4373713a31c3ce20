#include "tare/infer/band/curve_band.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

namespace infer = tare::detail::infer;

// scipy 1.17: binomtest(hits, rows).proportion_ci(confidence, method="exact"); each end has half of what is left.
TEST(exact_bounds, agree_with_scipy) {
  const struct {
    infer::Counts seen;
    double confidence, low, high;
  } cases[] = {
      {{3, 10}, 0.95, 0.06673951117773447, 0.652452850060008},
      {{0, 20}, 0.95, 0, 0.16843347098308548},
      {{20, 20}, 0.95, 0.8315665290169145, 1},
      {{1, 5}, 0.99, 0.0010020060210793413, 0.8149027278782698},
      {{977, 1000}, 0.999, 0.9569951098164434, 0.9895418595752763},
      {{999'000, 1'000'000}, 0.9999, 0.9988712408241591, 0.9991182961226082},
  };
  for (const auto& c : cases) {
    EXPECT_NEAR(infer::lower_bound(c.seen, (1 - c.confidence) / 2), c.low, 1e-10) << c.seen.hits;
    EXPECT_NEAR(infer::upper_bound(c.seen, (1 - c.confidence) / 2), c.high, 1e-10) << c.seen.hits;
  }
}

// With no hit in n rows the upper bound u solves (1 - u)^n = level.
TEST(exact_bounds, of_no_hit_has_a_closed_form) {
  for (const double level : {0.025, 1e-6, 1e-12})
    EXPECT_NEAR(infer::upper_bound({0, 50}, level), 1 - std::pow(level, 1.0 / 50), 1e-12);
}

TEST(exact_bounds, stay_between_nothing_and_the_rate) {
  for (const std::uint64_t rows : {1U, 2U, 1000U, 4'000'000'000U})
    for (const std::uint64_t hits : {std::uint64_t{0}, std::uint64_t{1}, rows / 2, rows - 1, rows}) {
      const double low = infer::lower_bound({hits, rows}, 1e-7), high = infer::upper_bound({hits, rows}, 1e-7);
      const double rate = static_cast<double>(hits) / static_cast<double>(rows);
      EXPECT_LE(0, low);
      EXPECT_LE(low, rate);
      EXPECT_LE(rate, high);
      EXPECT_LE(high, 1);
    }
}

// scipy 1.17: fisher_exact([[a, n - a], [b, m - b]], alternative="greater").pvalue
TEST(fall_p_value, agrees_with_scipy) {
  EXPECT_NEAR(infer::fall_p_value({8, 10}, {1, 10}), 0.002738747320790664, 1e-12);
  EXPECT_NEAR(infer::fall_p_value({60, 100}, {40, 100}), 0.003529757747508124, 1e-12);
  EXPECT_NEAR(infer::fall_p_value({950, 1000}, {900, 1000}), 1.3737490260834416e-05, 1e-15);
  EXPECT_NEAR(infer::fall_p_value({5, 10}, {5, 10}), 0.6718591006516703, 1e-12);
  EXPECT_NEAR(infer::fall_p_value({60'000, 100'000}, {59'000, 100'000}), 2.6746665947393142e-06, 1e-13);
  EXPECT_EQ(infer::fall_p_value({0, 10}, {10, 10}), 1);
  EXPECT_EQ(infer::fall_p_value({10, 10}, {10, 10}), 1);
}

}  // namespace
