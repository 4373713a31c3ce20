#include "tare/numeric/strict/strict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

namespace strict = tare::detail::numeric::strict;

// How far from the true value, which is known to 64 bits, in units of the last place.
double units_off(double got, long double wanted) {
  const double near = std::abs(static_cast<double>(wanted));
  const double unit = std::nextafter(near, INFINITY) - near;
  return static_cast<double>(std::abs(static_cast<long double>(got) - wanted) / unit);
}

TEST(strict, exponentials_and_logarithms_are_good_to_the_last_place) {
  std::mt19937_64 bits(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  double exp = 0, log = 0, log1p = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = i % 2 ? -708 * uniform(bits) : -2 * uniform(bits);
    exp = std::max(exp, units_off(strict::exp(x), std::exp(static_cast<long double>(x))));
    const double y = std::exp((uniform(bits) - 0.5) * (i % 3 ? 1 : 1400));
    log = std::max(log, units_off(strict::log(y), std::log(static_cast<long double>(y))));
    const double z = (i % 2 ? 1 : -0.5) * std::exp(-40 * uniform(bits));
    log1p = std::max(log1p, units_off(strict::log1p(z), std::log1p(static_cast<long double>(z))));
    EXPECT_EQ(strict::log1p_of_positive(std::abs(z)), strict::log1p(std::abs(z)));
  }
  EXPECT_LT(exp, 1.06);
  EXPECT_LT(log, 1);
  EXPECT_LT(log1p, 1.5);
}

TEST(strict, ends_of_the_range) {
  EXPECT_EQ(strict::exp(0.0), 1);
  EXPECT_EQ(strict::exp(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(strict::exp(-1e300), 0);
  EXPECT_EQ(strict::exp(-745.2), 0);
  EXPECT_EQ(strict::exp(-744.5), 5e-324);
  EXPECT_DOUBLE_EQ(strict::exp(600.0), 3.7730203009299397e260);
  EXPECT_EQ(strict::log(1.0), 0);
  EXPECT_EQ(strict::log(0.0), -INFINITY);
  EXPECT_DOUBLE_EQ(strict::log(5e-324), -744.4400719213812);
  EXPECT_DOUBLE_EQ(strict::log(1.7976931348623157e308), 709.782712893384);
  EXPECT_EQ(strict::log1p(1e-300), 1e-300);
  EXPECT_EQ(strict::log1p(0.0), 0);
}

}  // namespace
