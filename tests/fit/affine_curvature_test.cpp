#include "tare/fit/affine/affine_curvature.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/scaled.hpp"
#include "tare/fit/affine/affine_problem.hpp"

namespace {

using namespace tare::detail;
using namespace tare::detail::testing;

std::vector<double> drawn(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  std::vector<double> out(n);
  for (double& v : out) v = normal(rng);
  return out;
}

// The gradient at two points near x, written down plainly in long double, differs by H v.
TEST(affine_curvature, is_the_slope_of_the_gradient) {
  const std::size_t k = 4;
  Matrix data = simulated_logits(200, k, 1, 3);
  for (std::size_t i = 0; i < data.rows(); ++i) data.weight.push_back(static_cast<double>(i % 3));
  const double lambda = 0.7, mu = 0.3;
  const fit::AffineTask task{.method = "matrix", .lambda = lambda, .mu = mu};
  const fit::AffineProblem problem(data.view(), task, 1);
  fit::AffineCurvature curvature(problem);
  const auto x = drawn(problem.size(), 1), v = drawn(problem.size(), 2);
  std::vector<double> out(problem.size());
  curvature.move_to(x);
  curvature.prepare(0);
  curvature.product(v, out);
  Matrix scaled = data;
  for (double& z : scaled.values) z /= problem.scale();
  const auto gradient = [&](double t) {
    Affine map{std::vector<double>(k * k), std::vector<double>(k)};
    for (std::size_t c = 0; c < k; ++c) {
      map.b[c] = x[problem.intercept_at(c)] + t * v[problem.intercept_at(c)];
      for (std::size_t j = 0; j < k; ++j)
        map.w[c * k + j] = x[problem.weight_at(c, j)] + t * v[problem.weight_at(c, j)];
    }
    return plain_nll(scaled, map);
  };
  const double h = 1e-5;
  const PlainNll above = gradient(h), below = gradient(-h);
  const double d = static_cast<double>(k), s = problem.scale();
  for (std::size_t c = 0; c < k; ++c) {
    const std::size_t b = problem.intercept_at(c);
    EXPECT_NEAR(out[b], static_cast<double>((above.b[c] - below.b[c]) / (2 * h)) + 2 * mu / d * v[b], 1e-8);
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t w = problem.weight_at(c, j);
      const double penalty = c == j ? 0 : 2 * lambda / (d * (d - 1)) / s / s * v[w];
      EXPECT_NEAR(out[w], static_cast<double>((above.w[c * k + j] - below.w[c * k + j]) / (2 * h)) + penalty, 1e-8);
    }
  }
}

// Symmetric, and damping adds the same positive definite matrix everywhere.
TEST(affine_curvature, is_symmetric_with_and_without_damping) {
  for (const std::size_t k : {3U, 12U, 210U}) {
    const Matrix data = simulated_logits(300, k, 1, 3);
    const fit::AffineProblem problem(data.view(), {.method = "matrix", .lambda = 0.1, .mu = 0.1}, 2);
    fit::AffineCurvature curvature(problem);
    const auto x = drawn(problem.size(), 1), a = drawn(problem.size(), 2), b = drawn(problem.size(), 3);
    curvature.move_to(x);
    for (const double damping : {0.0, 0.5}) {
      curvature.prepare(damping);
      std::vector<double> ha(problem.size()), hb(problem.size());
      curvature.product(a, ha);
      curvature.product(b, hb);
      double ab = 0, ba = 0, aa = 0;
      for (std::size_t i = 0; i < ha.size(); ++i) {
        ab += a[i] * hb[i];
        ba += b[i] * ha[i];
        aa += a[i] * ha[i];
      }
      EXPECT_NEAR(ab, ba, 1e-10 * std::abs(aa)) << k;
      EXPECT_GT(aa, 0) << k;
      auto pa = a, pb = b;
      curvature.precondition(pa);
      curvature.precondition(pb);
      double left = 0, right = 0, own = 0;
      for (std::size_t i = 0; i < pa.size(); ++i) {
        left += pa[i] * b[i];
        right += pb[i] * a[i];
        own += pa[i] * a[i];
      }
      EXPECT_NEAR(left, right, 1e-8 * std::abs(own)) << k;
      EXPECT_GT(own, 0) << k;
    }
  }
}

// Class 0 lies beyond all others along the first logit; classes 1 and 2 overlap, and no function parts them.
TEST(separation, tells_a_class_that_stands_apart_from_one_that_does_not) {
  Matrix data = simulated_logits(400, 3, 1, 5);
  for (std::size_t i = 0; i < data.rows(); ++i) {
    data.label[i] = static_cast<std::int32_t>(i % 3);
    data.values[3 * i] = (data.label[i] == 0 ? 1 : -1) * (0.01 + std::abs(data.values[3 * i]));
  }
  const fit::AffineProblem problem(data.view(), {.method = "matrix"}, 1);
  const fit::Separation separation(problem);
  EXPECT_TRUE(separation.separable(0));
  EXPECT_FALSE(separation.separable(1));
  EXPECT_FALSE(separation.separable(2));
  std::vector<double> x(problem.size());
  x[problem.weight_at(0, 0)] = 5;  // gets class 0 right
  x[problem.intercept_at(1)] = 0.01;
  EXPECT_EQ(separation.find(x), 0U);
  // one row on the wrong side, and nothing is proven; of weight 0 it does not count
  data.values[0] = -3;
  EXPECT_FALSE(fit::Separation(fit::AffineProblem(data.view(), {.method = "matrix"}, 1)).separable(0));
  data.weight.assign(400, 1);
  data.weight[0] = 0;
  EXPECT_TRUE(fit::Separation(fit::AffineProblem(data.view(), {.method = "matrix"}, 1)).separable(0));
}

}  // namespace
