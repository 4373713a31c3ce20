#include "tare/numeric/exact/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using tare::detail::numeric::Moments;
using tare::detail::numeric::power_of_two_above;

// 1, 2, 3, 6: mean 3, variance 14/3, standard error sqrt(14/12).
TEST(moments, by_hand) {
  Moments m(8);
  for (const double x : {1.0, 2.0, 3.0, 6.0}) m.add(x, 1);
  EXPECT_DOUBLE_EQ(m.mean(), 3);
  EXPECT_NEAR(*m.se(1), std::sqrt(14.0 / 12), 1e-14);
}

TEST(moments, a_mass_of_three_is_three_rows) {
  Moments once(1), thrice(1);
  once.add(0.1, 3);
  once.add(-0.7, 1);
  for (const double x : {0.1, -0.7, 0.1, 0.1}) thrice.add(x, 1);
  EXPECT_EQ(once.mean(), thrice.mean());
  EXPECT_EQ(*once.se(1), *thrice.se(1));
}

TEST(moments, one_row_has_no_standard_error) {
  Moments m;
  m.add(0.5, 1);
  EXPECT_FALSE(m.se(1));
}

TEST(moments, power_of_two_above_is_tight) {
  EXPECT_EQ(power_of_two_above(1), 1);
  EXPECT_EQ(power_of_two_above(1.5), 2);
  EXPECT_EQ(power_of_two_above(0.3), 0.5);
  EXPECT_EQ(power_of_two_above(744.4), 1024);
}

}  // namespace
