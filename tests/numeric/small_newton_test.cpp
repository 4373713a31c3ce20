#include "tare/numeric/solve/small_newton.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tare::detail::numeric;

template <std::size_t D>
struct Evaluation {
  double value = 0;
  SmallVector<D> gradient = {};
  SmallMatrix<D> hessian = {};
};

template <std::size_t D, class P>
double largest_of(const P& at) {
  double out = 0;
  for (const double g : at.gradient) out = std::max(out, std::abs(g));
  return out;
}

// 1/2 (x - centre)' H (x - centre)
struct Quadratic {
  SmallMatrix<3> h = {{{4, 1, 0.5}, {1, 3, -1}, {0.5, -1, 1e-6}}};
  SmallVector<3> centre = {1, -2, 3};
  int evaluations = 0;

  Evaluation<3> at(const SmallVector<3>& x) {
    ++evaluations;
    SmallVector<3> from;
    for (std::size_t j = 0; j < 3; ++j) from[j] = x[j] - centre[j];
    Evaluation<3> out{curvature_along(h, from) / 2, {}, h};
    for (std::size_t j = 0; j < 3; ++j) out.gradient[j] = dot(h[j], from);
    return out;
  }
  static double residual(const SmallVector<3>&, const Evaluation<3>& at, const SmallVector<3>&) {
    return largest_of<3>(at);
  }
};

TEST(small_newton, diagonalises_a_matrix_whose_eigenvalues_are_known) {
  // 2 on the diagonal, -1 beside it: 2 - 2 cos(k pi / 4)
  SmallMatrix<3> a = {{{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}}};
  const auto original = a;
  const auto v = diagonalise(a);
  SmallVector<3> values = {a[0][0], a[1][1], a[2][2]};
  for (std::size_t e = 0; e < 3; ++e)
    for (std::size_t j = 0; j < 3; ++j) {
      double product = 0;
      for (std::size_t l = 0; l < 3; ++l) product += original[j][l] * v[l][e];
      EXPECT_NEAR(product, values[e] * v[j][e], 4e-15);
    }
  std::sort(values.begin(), values.end());
  EXPECT_NEAR(values[0], 2 - std::sqrt(2.0), 4e-15);
  EXPECT_NEAR(values[1], 2, 4e-15);
  EXPECT_NEAR(values[2], 2 + std::sqrt(2.0), 4e-15);
}

TEST(small_newton, one_step_ends_at_the_centre_of_a_quadratic) {
  Quadratic f;
  f.h[2][2] = 1;
  const auto best = small_newton<3>(f, {10, 20, -30}, {.residual = 1e-12});
  EXPECT_EQ(best.iterations, 1);
  EXPECT_EQ(f.evaluations, 2);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(best.x[j], f.centre[j], 1e-13);
}

TEST(small_newton, units_of_the_unknowns_do_not_matter) {
  Quadratic f;
  f.h = {{{4, 1e-9, 0}, {1e-9, 3e-18, 0}, {0, 0, 1e18}}};
  const auto best = small_newton<3>(f, {0, 0, 0}, {.residual = 1e-12});
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(best.x[j], f.centre[j], 1e-12);
}

// Of (x - 1)^2 + (y + 2)^2 + x y with y >= 0: y = 0 and x = 1. With x >= 3 as well: the corner.
struct HeldBowl {
  SmallVector<2> lower;
  static Evaluation<2> at(const SmallVector<2>& x) {
    return {(x[0] - 1) * (x[0] - 1) + (x[1] + 2) * (x[1] + 2) + x[0] * x[1],
            {2 * (x[0] - 1) + x[1], 2 * (x[1] + 2) + x[0]},
            {{{2, 1}, {1, 2}}}};
  }
  [[nodiscard]] double residual(const SmallVector<2>& x, const Evaluation<2>& at, const SmallVector<2>&) const {
    double out = 0;
    for (std::size_t j = 0; j < 2; ++j)
      if (!is_held(x[j], at.gradient[j], lower[j])) out = std::max(out, std::abs(at.gradient[j]));
    return out;
  }
};

TEST(small_newton, bounds_hold_what_would_cross_them) {
  HeldBowl f{{-INFINITY, 0}};
  const auto side = small_newton<2>(f, {5, 5}, {.residual = 1e-14, .lower = f.lower});
  EXPECT_NEAR(side.x[0], 1, 1e-14);
  EXPECT_EQ(side.x[1], 0);
  f.lower = {3, 0};
  const auto corner = small_newton<2>(f, {5, 5}, {.residual = 1e-14, .lower = f.lower});
  EXPECT_EQ(corner.x[0], 3);
  EXPECT_EQ(corner.x[1], 0);
  EXPECT_EQ(corner.residual, 0);
}

// On the bound y = 0 the slope leads inside, but Newton's step does not: x moves first.
TEST(small_newton, what_others_carry_across_a_bound_is_held) {
  struct Tilted {
    static Evaluation<2> at(const SmallVector<2>& x) {  // (x + 0.9 y - 1)^2 + (y + 0.05)^2 / 10
      const double r = x[0] + 0.9 * x[1] - 1, s = x[1] + 0.05;
      return {r * r + s * s / 10, {2 * r, 1.8 * r + s / 5}, {{{2, 1.8}, {1.8, 1.82}}}};
    }
    static double residual(const SmallVector<2>& x, const Evaluation<2>& at, const SmallVector<2>&) {
      return std::max(std::abs(at.gradient[0]), is_held(x[1], at.gradient[1], 0) ? 0 : std::abs(at.gradient[1]));
    }
  } f;
  EXPECT_LT(f.at({0, 0}).gradient[1], 0);
  EXPECT_LT(newton_step(f.at({0, 0}).gradient, f.at({0, 0}).hessian)[1], 0);
  const auto best = small_newton<2>(f, {0, 0}, {.residual = 1e-14, .lower = {0, 0}});
  EXPECT_EQ(best.iterations, 1);
  EXPECT_NEAR(best.x[0], 1, 1e-14);
  EXPECT_EQ(best.x[1], 0);
}

// (a x + b y - 2)^2 says nothing about a x - b y.
struct Valley {
  double a, b;
  [[nodiscard]] Evaluation<2> at(const SmallVector<2>& x) const {
    const double r = a * x[0] + b * x[1] - 2;
    return {r * r, {2 * a * r, 2 * b * r}, {{{2 * a * a, 2 * a * b}, {2 * a * b, 2 * b * b}}}};
  }
  static double residual(const SmallVector<2>&, const Evaluation<2>& at, const SmallVector<2>&) {
    return largest_of<2>(at);
  }
};

TEST(small_newton, directions_without_curvature_are_left_alone) {
  for (const auto& [a, b] : {std::pair{1.0, 1.0}, {3.0, 0.7}, {0.1, 1.3}, {0.9, 1e-3}}) {
    Valley f{a, b};
    const auto best = small_newton<2>(f, {5, 1}, {.residual = 1e-13});
    const double half = (2 - 5 * a - b) / 2;  // of the way, for each of both terms
    EXPECT_NEAR(best.x[0], 5 + half / a, 1e-12 * (1 + std::abs(half / a))) << a;
    EXPECT_NEAR(best.x[1], 1 + half / b, 1e-12 * (1 + std::abs(half / b))) << a;
  }
}

// 100 (y - x^2)^2 + (1 - x)^2: curved, and not convex everywhere.
struct Rosenbrock {
  static Evaluation<2> at(const SmallVector<2>& x) {
    const double r = x[1] - x[0] * x[0], s = 1 - x[0];
    return {100 * r * r + s * s,
            {-400 * r * x[0] - 2 * s, 200 * r},
            {{{800 * x[0] * x[0] - 400 * r + 2, -400 * x[0]}, {-400 * x[0], 200}}}};
  }
  static double residual(const SmallVector<2>&, const Evaluation<2>& at, const SmallVector<2>&) {
    return largest_of<2>(at);
  }
};

TEST(small_newton, steps_are_halved_until_the_value_falls) {
  Rosenbrock f;
  for (const SmallVector<2>& start : {SmallVector<2>{-1.2, 1}, {5, -5}, {0, 3}}) {
    const auto best = small_newton<2>(f, start, {.residual = 1e-12});
    EXPECT_NEAR(best.x[0], 1, 1e-12);
    EXPECT_NEAR(best.x[1], 1, 1e-12);
  }
}

// x - ln x: infinite where x <= 0, the minimum at 1.
struct Logarithm {
  int evaluations = 0;
  Evaluation<1> at(const SmallVector<1>& x) {
    ++evaluations;
    if (x[0] <= 0) return {INFINITY, {-INFINITY}, {{{INFINITY}}}};
    return {x[0] - std::log(x[0]), {1 - 1 / x[0]}, {{{1 / (x[0] * x[0])}}}};
  }
  static double residual(const SmallVector<1>&, const Evaluation<1>& at, const SmallVector<1>&) {
    return largest_of<1>(at);
  }
};
struct Walled : Logarithm {
  static double longest(const SmallVector<1>& x, const SmallVector<1>& step) {
    return x[0] + step[0] > 0 ? 1 : 0.95 * x[0] / -step[0];
  }
};

TEST(small_newton, infinite_values_are_no_place_to_go) {
  Logarithm open;
  Walled walled;
  for (const double x : {1e-3, 0.5, 10.0, 1000.0}) {
    EXPECT_NEAR(small_newton<1>(open, {x}, {.residual = 1e-14}).x[0], 1, 1e-13) << x;
    EXPECT_NEAR(small_newton<1>(walled, {x}, {.residual = 1e-14}).x[0], 1, 1e-13) << x;
  }
  EXPECT_NE(open.evaluations, walled.evaluations);  // the wall is asked
}

// ln(1 + exp(-x)) has no minimum; its gradient at 100 is 4e-44.
struct Slide {
  static Evaluation<1> at(const SmallVector<1>& x) {
    const double q = 1 / (1 + std::exp(x[0]));
    return {std::log1p(std::exp(-x[0])), {-q}, {{{q * (1 - q)}}}};
  }
  static double residual(const SmallVector<1>&, const Evaluation<1>& at, const SmallVector<1>&) {
    return largest_of<1>(at);
  }
  static bool strays(const SmallVector<1>& x) { return x[0] > 20; }
};

TEST(small_newton, ends_where_the_problem_strays_or_the_limit_is) {
  Slide f;
  const auto lost = small_newton<1>(f, {0}, {});
  EXPECT_GT(lost.x[0], 20);
  EXPECT_LT(lost.x[0], 22);
  EXPECT_EQ(small_newton<1>(f, {0}, {.max_iterations = 3}).iterations, 3);
}

// ln cosh x by its slopes alone: Newton's step from 2 leads to -11.6, where there is no curvature.
struct Slopes {
  struct Evaluation {
    SmallVector<1> gradient;
    SmallMatrix<1> hessian;
  };
  static Evaluation at(const SmallVector<1>& x) {
    const double c = std::cosh(x[0] - 0.25);
    return {{std::tanh(x[0] - 0.25)}, {{{1 / (c * c)}}}};
  }
  static double residual(const SmallVector<1>&, const Evaluation&, const SmallVector<1>& step) {
    return std::abs(step[0]);
  }
};

TEST(small_newton, slopes_alone_do_for_a_convex_function) {
  Slopes f;
  for (const double x : {0.0, 2.25, -3.0, 8.0})
    EXPECT_NEAR(small_newton<1>(f, {x}, {.residual = 1e-12}).x[0], 0.25, 1e-12) << x;
}

TEST(small_newton, numbers_that_are_none_end_it) {
  Quadratic f;
  f.centre[1] = NAN;
  EXPECT_EQ(small_newton<3>(f, {0, 0, 0}, {}).iterations, 0);
}

}  // namespace
