#include "tare/numeric/solve/rising_root.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace {

using tare::detail::numeric::RisingRoot;

struct Found {
  double x;
  int evaluations;
};

// Until the step is nothing, or an end of the bracket is asked for again.
Found find(double low, double high, double x, const std::function<double(double)>& f,
           const std::function<double(double)>& df) {
  RisingRoot root(low, high);
  for (int i = 1;; ++i) {
    const double to = root.next(x, f(x), df(x));
    if (f(x) == 0) return {x, i};
    if (std::abs(to - x) <= 1e-14 * std::abs(x) || i == 200) return {to, i};
    if (to == low || to == high) {
      if (x == to) return {to, i};
    }
    x = to;
  }
}

TEST(rising_root, solves_a_cubic_equation) {
  const auto r = find(
      0, 10, 1, [](double x) { return x * x * x - 2; }, [](double x) { return 3 * x * x; });
  EXPECT_NEAR(r.x, std::cbrt(2.0), 1e-14);
  EXPECT_LE(r.evaluations, 8);
}

// Saturated far from the root: Newton's rule alone would leave the bracket.
TEST(rising_root, comes_back_from_where_the_slope_is_lost) {
  const auto f = [](double x) { return std::tanh(20 * (x - 0.1)); };
  const auto df = [&](double x) { return 20 * (1 - f(x) * f(x)); };
  const auto r = find(1e-6, 1e6, 1, f, df);
  EXPECT_NEAR(r.x, 0.1, 1e-13);
  EXPECT_LE(r.evaluations, 60);
}

TEST(rising_root, reaches_an_end_when_the_root_lies_beyond) {
  const auto up = find(
      1e-6, 1e6, 1, [](double x) { return x - 1e9; }, [](double) { return 1.0; });
  EXPECT_EQ(up.x, 1e6);
  const auto down = find(
      1e-6, 1e6, 1, [](double x) { return x; }, [](double) { return 1.0; });
  EXPECT_EQ(down.x, 1e-6);
}

TEST(rising_root, uses_a_point_known_beforehand) {
  RisingRoot root(1e-6, 1e6);
  const auto f = [](double x) { return 1 - 1 / (x * x + 0.01) * 0.1; };
  root.know(0, f(0), 1e-9);
  const double to = root.next(1, f(1), 0.2);
  EXPECT_GT(to, 1e-6);
  EXPECT_LT(to, 1);
}

}  // namespace
