#include "tare/numeric/exact/fixed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using tare::inner::numeric::ExactSum;
using tare::inner::numeric::to_fixed;

TEST(to_fixed, is_the_nearest_multiple_of_2_to_the_minus_46) {
  EXPECT_EQ(to_fixed(0.0), 0U);
  EXPECT_EQ(to_fixed(-0.0), 0U);
  EXPECT_EQ(to_fixed(1.0), std::uint64_t{1} << 46);
  EXPECT_EQ(to_fixed(0.5), std::uint64_t{1} << 45);
  EXPECT_EQ(to_fixed(0x1p-46), 1U);
  EXPECT_EQ(to_fixed(0x1p-47), 0U);  // halves go to even
  EXPECT_EQ(to_fixed(0x3p-47), 2U);
  EXPECT_EQ(to_fixed(0x1.8p-47), 1U);
  EXPECT_EQ(to_fixed(0x1p-1000), 0U);
}

TEST(to_fixed, rounds_like_llrint) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 100'000; ++i) {
    const double x = std::ldexp(static_cast<double>(rng() >> 11), -53 - static_cast<int>(rng() % 40));
    ASSERT_EQ(to_fixed(x), static_cast<std::uint64_t>(std::llrint(std::ldexp(x, 46)))) << x;
  }
}

TEST(exact_sum, does_not_depend_on_the_order_or_on_splits) {
  std::mt19937_64 rng(2);
  std::vector<double> x;
  for (int i = 0; i < 10'000; ++i)
    x.push_back(std::ldexp(static_cast<double>(rng() >> 11), -60 + static_cast<int>(rng() % 40)) - 1e-3);
  ExactSum forward, backward, left, right;
  for (const double v : x) forward.add(v);
  std::reverse(x.begin(), x.end());
  for (std::size_t i = 0; i < x.size(); ++i) {
    backward.add(x[i]);
    (i % 3 ? left : right).add(x[i]);
  }
  left.merge(right);
  EXPECT_EQ(forward.value(), backward.value());
  EXPECT_EQ(forward.value(), left.value());
}

TEST(exact_sum, keeps_what_doubles_lose) {
  ExactSum s;
  s.add(1e9);
  s.add(1e-9);
  s.add(-1e9);
  EXPECT_NEAR(s.value(), 1e-9, 1e-18);
}

}  // namespace
