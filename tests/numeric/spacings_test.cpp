#include "tare/numeric/random/spacings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/targets.hpp"
#include "tare/numeric/random/rng.hpp"

namespace {

using namespace tare::detail::numeric;

constexpr RandomKey key{0x123456789abcdef0, 3, 5, 7};

TEST(spacings, are_logarithms_of_the_blocks_of_their_key) {
  tare::detail::testing::for_targets([](const char* target) {
    Spacings s;
    s.draw(key, 1000);
    double sum = 0;
    for (std::size_t i = 0; i <= 1000; ++i) {
      const std::size_t batch = i / 32, place = i % 32;
      const auto w = random_block(key.seed, key.stream, key.replicate,
                                  join(static_cast<std::uint32_t>(16 * batch + place % 16), key.group));
      const std::uint64_t word = place < 16 ? join(w[0], w[1]) : join(w[2], w[3]);
      sum -= std::log((static_cast<double>(word >> 24) + 0.5) * 0x1p-40);
      if (i < 1000) {
        ASSERT_EQ(s.word()[i], word) << target << " " << i;
      }
      ASSERT_NEAR(s.sum()[i], sum, 1e-11) << target << " " << i;
    }
    EXPECT_EQ(s.total(), s.sum()[1000]);
  });
}

TEST(spacings, never_stand_still_however_many_there_are) {
  for (const std::size_t n : {1U, 2U, 31U, 32U, 33U, 100'000U}) {
    Spacings s;
    s.draw(key, n);
    ASSERT_EQ(s.size(), n);
    ASSERT_GT(s.sum()[0], 0);
    for (std::size_t i = 1; i <= n; ++i) ASSERT_GT(s.sum()[i], s.sum()[i - 1]);
  }
}

// Of n sorted uniform numbers, number k (from 1) has mean k / (n+1) and variance k (n+1-k) / ((n+1)^2 (n+2)).
TEST(spacings, give_the_moments_of_order_statistics) {
  constexpr int n = 20, samples = 20'000;
  std::vector<double> mean(n), square(n);
  Spacings s;
  for (std::uint32_t r = 0; r < samples; ++r) {
    s.draw({1, 2, r, n}, n);
    for (std::size_t i = 0; i < n; ++i) {
      const double x = s.sum()[i] / s.total();
      mean[i] += x / samples;
      square[i] += x * x / samples;
    }
  }
  for (int k = 1; k <= n; ++k) {
    const auto i = static_cast<std::size_t>(k - 1);
    const double expected = k / (n + 1.0), variance = k * (n + 1.0 - k) / ((n + 1.0) * (n + 1.0) * (n + 2.0));
    EXPECT_NEAR(mean[i], expected, 4 * std::sqrt(variance / samples)) << k;
    EXPECT_NEAR(square[i] - mean[i] * mean[i], variance, 0.06 * variance) << k;
  }
}

TEST(spacings, use_their_memory_again_and_leave_nothing_in_it) {
  Spacings used, fresh;
  used.draw({9, 9, 9, 9}, 5000);
  used.draw(key, 70);
  fresh.draw(key, 70);
  for (std::size_t i = 0; i <= 70; ++i) EXPECT_EQ(used.sum()[i], fresh.sum()[i]);
}

}  // namespace
