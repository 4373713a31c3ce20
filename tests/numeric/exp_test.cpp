#include "tare/numeric/simd/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

using tare::detail::numeric::exp_all;

TEST(exp_all, agrees_with_the_standard_library) {
  std::mt19937_64 rng(1);
  std::uniform_real_distribution<double> uniform(-700, 1);
  std::vector<double> x(1003);
  for (auto& v : x) v = uniform(rng);
  auto y = x;
  exp_all(y);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i] / std::exp(x[i]), 1, 1e-15) << x[i];
}

TEST(exp_all, ends) {
  std::vector<double> x{0, -0.0, -1e-300, -1e4, -1e300};
  exp_all(x);
  EXPECT_EQ(x, (std::vector<double>{1, 1, 1, 0, 0}));
}

TEST(exp_all, does_not_depend_on_the_place) {
  std::vector<double> x(37);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = -0.37 * static_cast<double>(i % 5);
  exp_all(x);
  for (std::size_t i = 5; i < x.size(); ++i) EXPECT_EQ(x[i], x[i - 5]);
}

}  // namespace
