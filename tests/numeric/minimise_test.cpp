#include "tare/numeric/solve/minimise.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace {

using namespace tare::detail::numeric;

// sum_i c_i (x_i - i)^2 / 2 with curvatures from 1 to 10^4.
double quadratic(std::span<const double> x, std::span<double> g) {
  double f = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double c = std::pow(1e4, static_cast<double>(i) / static_cast<double>(x.size() - 1)),
                 d = x[i] - static_cast<double>(i);
    f += c * d * d / 2;
    g[i] = c * d;
  }
  return f;
}

TEST(lbfgs, solves_a_quadratic) {
  std::vector<double> x(10);
  const Minimum m = lbfgs(quadratic, x, {.gradient = 1e-10});
  EXPECT_EQ(m.stop, Minimum::Stop::gradient);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], static_cast<double>(i), 1e-9);
}

TEST(lbfgs, needs_few_steps_with_the_inverse_hessian) {
  std::vector<double> x(10);
  const Minimum m = lbfgs(quadratic, x, {.gradient = 1e-10}, [](std::span<double> r) {
    for (std::size_t i = 0; i < r.size(); ++i) r[i] /= std::pow(1e4, static_cast<double>(i) / 9);
  });
  EXPECT_LE(m.iterations, 2);
}

// Minimum 0 at (1, 1), at the end of a curved valley.
TEST(lbfgs, finds_the_end_of_rosenbrocks_valley) {
  std::vector<double> x{-1.2, 1};
  const Minimum m = lbfgs(
      [](std::span<const double> v, std::span<double> g) {
        const double a = 1 - v[0], b = v[1] - v[0] * v[0];
        g[0] = -2 * a - 400 * v[0] * b;
        g[1] = 200 * b;
        return a * a + 100 * b * b;
      },
      x, {.gradient = 1e-10});
  EXPECT_EQ(m.stop, Minimum::Stop::gradient);
  EXPECT_NEAR(x[0], 1, 1e-9);
  EXPECT_NEAR(x[1], 1, 1e-9);
  EXPECT_LT(m.iterations, 60);
}

// 3 of 4 at x = 1, 1 of 5 at x = 0: sigma(b) = 1/5, sigma(a + b) = 3/4.
double logistic(std::span<const double> p, std::span<double> g) {
  const auto softplus = [](double z) { return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))); };
  const double z0 = p[1], z1 = p[0] + p[1], q0 = 1 / (1 + std::exp(-z0)), q1 = 1 / (1 + std::exp(-z1));
  g[0] = 4 * q1 - 3;
  g[1] = 4 * q1 - 3 + 5 * q0 - 1;
  return 4 * softplus(z1) - 3 * z1 + 5 * softplus(z0) - z0;
}
double logistic_curvature(std::span<const double> p, std::span<double> g, std::span<double> h) {
  const double q0 = 1 / (1 + std::exp(-p[1])), q1 = 1 / (1 + std::exp(-p[0] - p[1]));
  h[0] = h[2] = 4 * q1 * (1 - q1);
  h[3] = h[0] + 5 * q0 * (1 - q0);
  return logistic(p, g);
}

TEST(newton, solves_logistic_regression) {
  std::vector<double> x(2);
  const Minimum m = newton(logistic, logistic_curvature, x, {.gradient = 1e-12});
  EXPECT_EQ(m.stop, Minimum::Stop::gradient);
  EXPECT_NEAR(x[1], std::log(0.25), 1e-13);
  EXPECT_NEAR(x[0], std::log(3) - std::log(0.25), 1e-13);
  std::vector<double> y(2);
  lbfgs(logistic, y, {.gradient = 1e-11});
  EXPECT_NEAR(y[0], x[0], 1e-10);
}

// Far away the full step overshoots by orders of magnitude: ln cosh has slope 1 and no curvature there.
TEST(newton, shortens_steps_that_overshoot) {
  std::vector<double> x{3};
  const auto f = [](std::span<const double> v, std::span<double> g) {
    g[0] = std::tanh(v[0]);
    return std::log(std::cosh(v[0]));
  };
  const Minimum m = newton(
      f,
      [&](std::span<const double> v, std::span<double> g, std::span<double> h) {
        const double t = std::tanh(v[0]);
        h[0] = 1 - t * t;
        return f(v, g);
      },
      x);
  EXPECT_EQ(m.stop, Minimum::Stop::gradient);
  EXPECT_NEAR(x[0], 0, 1e-10);
}

// ln(1 + e^-x) falls for ever.
TEST(newton, notices_that_the_minimum_is_at_infinity) {
  std::vector<double> x{0};
  const auto f = [](std::span<const double> v, std::span<double> g) {
    const double e = std::exp(-v[0]);
    g[0] = -e / (1 + e);
    return std::log1p(e);
  };
  const Minimum m = newton(
      f,
      [&](std::span<const double> v, std::span<double> g, std::span<double> h) {
        const double e = std::exp(-v[0]);
        h[0] = e / (1 + e) / (1 + e);
        return f(v, g);
      },
      x);
  EXPECT_EQ(m.stop, Minimum::Stop::drifting);
}

// (x + y - 1)^2: any point of a line is a minimum.
TEST(newton, takes_directions_without_curvature) {
  std::vector<double> x{2, 1};
  const auto f = [](std::span<const double> v, std::span<double> g) {
    const double s = v[0] + v[1] - 1;
    g[0] = g[1] = 2 * s;
    return s * s;
  };
  const Minimum m = newton(
      f,
      [&](std::span<const double> v, std::span<double> g, std::span<double> h) {
        h[0] = h[1] = h[2] = h[3] = 2;
        return f(v, g);
      },
      x);
  EXPECT_EQ(m.stop, Minimum::Stop::gradient);
  EXPECT_NEAR(x[0] + x[1], 1, 1e-9);
  EXPECT_NEAR(x[0], 1, 0.1);  // near where it started, but for rounding
}

// sum_i ln cosh(c_i (x_i - i)) for i > 0 and nothing in x_0, a gauge; far away the slopes are constant.
class Valleys final : public Curved {
 public:
  double value(std::span<const double> x, std::span<double> g) override {
    double f = 0;
    g[0] = 0;
    for (std::size_t i = 1; i < x.size(); ++i) {
      const double c = steepness(i), t = c * (x[i] - static_cast<double>(i));
      f += std::abs(t) + std::log1p(std::exp(-2 * std::abs(t))) - std::log(2);
      g[i] = c * std::tanh(t);
    }
    return f;
  }
  void move_to(std::span<const double> x) override { at_.assign(x.begin(), x.end()); }
  void prepare(double damping) override { damping_ = damping; }
  void product(std::span<const double> v, std::span<double> out) override {
    ++products;
    out[0] = damping_ * v[0];
    for (std::size_t i = 1; i < v.size(); ++i) {
      const double c = steepness(i), e = 1 / std::cosh(c * (at_[i] - static_cast<double>(i)));
      out[i] = (c * c * e * e + damping_) * v[i];
    }
  }
  void precondition(std::span<double>) override {}
  int products = 0;

 private:
  static double steepness(std::size_t i) { return 1 + static_cast<double>(i) / 4; }
  std::vector<double> at_ = {};
  double damping_ = 0;
};

TEST(newton_cg, finds_a_minimum_beside_a_gauge) {
  Valleys f;
  std::vector<double> x(10);
  x[0] = 5;
  const Minimum m = newton_cg(f, x, {.gradient = 1e-12});
  EXPECT_EQ(m.stop, Minimum::Stop::gradient);
  EXPECT_LE(m.gradient, 1e-12);
  EXPECT_EQ(x[0], 5);
  for (std::size_t i = 1; i < x.size(); ++i) EXPECT_NEAR(x[i], static_cast<double>(i), 1e-11);
  EXPECT_LT(m.iterations, 40);
}

// A quadratic is solved by one exact step: conjugate gradients need as many products as there are curvatures.
class Bowl final : public Curved {
 public:
  double value(std::span<const double> x, std::span<double> g) override { return quadratic(x, g); }
  void move_to(std::span<const double>) override {}
  void prepare(double damping) override { damping_ = damping; }
  void product(std::span<const double> v, std::span<double> out) override {
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = (curvature(i, v.size()) + damping_) * v[i];
  }
  void precondition(std::span<double> r) override {
    for (std::size_t i = 0; i < r.size(); ++i) r[i] /= curvature(i, r.size()) + damping_;
  }

 private:
  static double curvature(std::size_t i, std::size_t n) {
    return std::pow(1e4, static_cast<double>(i) / static_cast<double>(n - 1));
  }
  double damping_ = 0;
};

TEST(newton_cg, solves_a_quadratic) {
  Bowl f;
  std::vector<double> x(10);
  const Minimum m = newton_cg(f, x, {.gradient = 1e-10});
  EXPECT_EQ(m.stop, Minimum::Stop::gradient);
  EXPECT_LE(m.iterations, 6);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], static_cast<double>(i), 1e-9);
  std::vector<double> y(10);
  EXPECT_EQ(newton_cg(f, y, {.stop = [](std::span<const double>, double) { return true; }}).stop, Minimum::Stop::asked);
  std::vector<double> z(10);
  EXPECT_EQ(newton_cg(f, z, {.max_iterations = 1}).stop, Minimum::Stop::limit);
}

// ln(1 + e^-x) falls for ever.
class Slope final : public Curved {
 public:
  double value(std::span<const double> x, std::span<double> g) override {
    const double e = std::exp(-x[0]);
    g[0] = -e / (1 + e);
    return std::log1p(e);
  }
  void move_to(std::span<const double> x) override { e_ = std::exp(-x[0]); }
  void prepare(double damping) override { damping_ = damping; }
  void product(std::span<const double> v, std::span<double> out) override {
    out[0] = (e_ / (1 + e_) / (1 + e_) + damping_) * v[0];
  }
  void precondition(std::span<double>) override {}

 private:
  double e_ = 0, damping_ = 0;
};

TEST(newton_cg, notices_that_the_minimum_is_at_infinity) {
  Slope f;
  std::vector<double> x{0};
  EXPECT_EQ(newton_cg(f, x, {.gradient = 1e-10}).stop, Minimum::Stop::drifting);
}

// What is no number must end the search, and not as if it had been found.
class Broken final : public Curved {
 public:
  explicit Broken(double value) : value_(value) {}
  double value(std::span<const double>, std::span<double> g) override {
    g[0] = value_;
    return value_;
  }
  void move_to(std::span<const double>) override {}
  void prepare(double) override {}
  void product(std::span<const double>, std::span<double> out) override { out[0] = value_; }
  void precondition(std::span<double>) override {}

 private:
  double value_;
};

TEST(minimise, ends_where_a_number_is_not_finite) {
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    const auto f = [&](std::span<const double>, std::span<double> g) { return g[0] = bad; };
    std::vector<double> x{1};
    EXPECT_EQ(lbfgs(f, x).stop, Minimum::Stop::not_finite);
    const auto all_bad = [&](std::span<const double>, std::span<double> g, std::span<double> h) {
      return h[0] = g[0] = bad;
    };
    EXPECT_EQ(newton(f, all_bad, x).stop, Minimum::Stop::not_finite);
    const auto bad_hessian = [&](std::span<const double> at, std::span<double> g, std::span<double> h) {
      h[0] = bad;
      g[0] = at[0];
      return at[0] * at[0] / 2;
    };
    EXPECT_EQ(newton(f, bad_hessian, x).stop, Minimum::Stop::not_finite);
    Broken broken(bad);
    EXPECT_EQ(newton_cg(broken, x).stop, Minimum::Stop::not_finite);
  }
}

// No damping makes this definite without overflow, and a gradient so small leaves none to start from.
TEST(newton, ends_where_no_damping_helps) {
  std::vector<double> x{0};
  const auto value = [](std::span<const double>, std::span<double> g) { return g[0] = 1; };
  const auto steep = [](std::span<const double>, std::span<double> g, std::span<double> h) {
    h[0] = -1e305;
    return g[0] = 1;
  };
  EXPECT_EQ(newton(value, steep, x).stop, Minimum::Stop::rounding);
  const auto flat = [](std::span<const double>, std::span<double> g, std::span<double> h) {
    h[0] = 0;
    return g[0] = 1e-320;
  };
  const Minimum m =
      newton([](std::span<const double>, std::span<double> g) { return g[0] = 1e-320; }, flat, x, {.gradient = 0});
  EXPECT_TRUE(m.stop == Minimum::Stop::rounding || m.stop == Minimum::Stop::drifting);
}

TEST(minimise, stops_when_asked_and_at_the_limit) {
  std::vector<double> x(10);
  EXPECT_EQ(lbfgs(quadratic, x, {.stop = [](std::span<const double>, double) { return true; }}).stop,
            Minimum::Stop::asked);
  std::vector<double> y(10);
  const Minimum m = lbfgs(quadratic, y, {.max_iterations = 3});
  EXPECT_EQ(m.stop, Minimum::Stop::limit);
  EXPECT_EQ(m.iterations, 3);
}

}  // namespace
