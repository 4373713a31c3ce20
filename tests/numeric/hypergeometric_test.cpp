#include "tare/numeric/random/hypergeometric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using tare::detail::numeric::Hypergeometric;

// 3 of 5 rows with 2 hits: probabilities 1/10, 6/10, 3/10.
TEST(hypergeometric, by_hand) {
  const Hypergeometric hits(5, 2, 3);
  EXPECT_EQ(hits.at(0.0999), 0U);
  EXPECT_EQ(hits.at(0.1001), 1U);
  EXPECT_EQ(hits.at(0.6999), 1U);
  EXPECT_EQ(hits.at(0.7001), 2U);
}

TEST(hypergeometric, certain_ones) {
  for (const double u : {1e-16, 0.5, 1 - 1e-16}) {
    EXPECT_EQ(Hypergeometric(7, 0, 3).at(u), 0U);
    EXPECT_EQ(Hypergeometric(7, 7, 3).at(u), 3U);
    EXPECT_EQ(Hypergeometric(7, 4, 7).at(u), 4U);
    EXPECT_EQ(Hypergeometric(7, 4, 0).at(u), 0U);
  }
}

// Mean and variance over equal steps of the uniform number, small and very large.
TEST(hypergeometric, mean_and_variance) {
  for (const auto& [rows, hits, drawn] :
       std::vector<std::array<std::uint64_t, 3>>{{20, 7, 9},
                                                 {1000, 3, 500},
                                                 {1000, 990, 20},
                                                 {1 << 20, 1 << 18, 1 << 19},
                                                 {std::uint64_t{1} << 40, 12345678, 1 << 30}}) {
    const Hypergeometric of(rows, hits, drawn);
    double sum = 0, squares = 0;
    constexpr int steps = 200000;
    const double n = static_cast<double>(rows), h = static_cast<double>(hits), m = static_cast<double>(drawn);
    const double mean = m * h / n, variance = m * h / n * (n - h) / n * (n - m) / (n - 1);
    for (int i = 0; i < steps; ++i) {
      const double x = static_cast<double>(of.at((i + 0.5) / steps)) - mean;
      sum += x;
      squares += x * x;
    }
    EXPECT_NEAR(sum / steps / std::sqrt(variance), 0, 1e-3) << rows;
    EXPECT_NEAR(squares / steps / variance, 1, 2e-3) << rows;
  }
}

}  // namespace
