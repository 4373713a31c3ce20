#include "tare/numeric/exact/fixed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using tare::detail::numeric::ExactSum;
using tare::detail::numeric::FixedSum;
using tare::detail::numeric::to_fixed;

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

TEST(fixed_sum, rounds_to_its_unit) {
  EXPECT_EQ(FixedSum<60>::unit, 0x1p-60);
  EXPECT_EQ(FixedSum<70>::unit, 0x1p-70);
  FixedSum<4> s;  // sixteenths, halves of one to even
  s.add(0x1p-5);
  EXPECT_EQ(s.value(), 0);
  s.add(0x3p-5);
  EXPECT_EQ(s.value(), 0.125);
  s.add(-0.3);
  EXPECT_EQ(s.units(), -3);
  s.add(0.3, 10);  // the product is rounded
  EXPECT_EQ(s.units(), 45);
  s.add_mass(-0.3, 10);  // the number is
  EXPECT_EQ(s.units(), -5);
  s.add_small_mass(0x1p-5, 3);  // halves of one away from 0
  s.add_small_mass(-0x1p-5, 1);
  EXPECT_EQ(s.units(), -3);
  s.add_units(19);
  EXPECT_EQ(s.value(), 1);
  EXPECT_EQ(FixedSum<4>::of_units(-5).value(), -0.3125);
}

TEST(fixed_sum, a_quick_sum_is_as_good_to_four_units) {
  std::mt19937_64 rng(3);
  for (int i = 0; i < 10'000; ++i) {
    const double x = std::ldexp(static_cast<double>(rng() >> 11), -48 - static_cast<int>(rng() % 20)) - (i % 2 ? 8 : 0);
    ExactSum slow, quick, weighted, quick_weighted;
    slow.add(x);
    quick.add_quickly(x);
    ASSERT_LE(std::abs(static_cast<double>(slow.units() - quick.units())), 4) << x;
    weighted.add(x, 0.3);
    quick_weighted.add_quickly(x, 0.3);
    ASSERT_EQ(weighted.units(), quick_weighted.units()) << x;
  }
  ExactSum edges;  // beyond the short way
  for (const double x : {16.0, 1e10, 0x1.8p39}) edges.add_quickly(x);
  EXPECT_EQ(edges.value(), 16.0 + 1e10 + 0x1.8p39);
  for (const double x : {16.0, 1e10, 0x1.8p39}) edges.add_quickly(-x);
  EXPECT_EQ(edges.units(), 0);
}

}  // namespace
