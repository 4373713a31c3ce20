#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tare/numeric/minimise.hpp"

namespace tare::numeric {
namespace {

using Vector = Eigen::VectorXd;

std::span<double> view(Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

// The Newton step. A little of the identity, far below any curvature that matters, makes the matrix definite
// where a gauge makes it singular; the gradient has no part there.
Vector newton_step(Eigen::MatrixXd& hessian, const Vector& gradient) {
  const double size = std::max(hessian.diagonal().maxCoeff(), 1e-300);
  Vector step;
  for (double damping = 1e-14; damping < 1; damping *= 100) {
    Eigen::MatrixXd damped = hessian;
    damped.diagonal().array() += damping * size;
    const Eigen::LLT<Eigen::MatrixXd> factor(damped);
    if (factor.info() != Eigen::Success) continue;
    step = -factor.solve(gradient);
    if (step.allFinite() && step.dot(gradient) < 0) return step;
  }
  return -gradient / size;
}

}  // namespace

Minimum newton(const Gradient& value, const Curvature& curvature, std::span<double> at,
               const MinimiseOptions& options) {
  const auto d = static_cast<Eigen::Index>(at.size());
  Eigen::Map<Vector> x(at.data(), d);
  Vector g(d), trial(d), trial_gradient(d);
  Eigen::MatrixXd h(d, d);
  Minimum out;
  constexpr double vanished = 1e-13;  // nothing but rounding is left in a gradient
  constexpr double short_step = 1e-4;
  double before = std::numeric_limits<double>::infinity();
  for (;; ++out.iterations) {
    // row by row and lower, read as column by column, is the upper triangle
    out.value = curvature(at, view(g), {h.data(), static_cast<std::size_t>(d * d)});
    h.triangularView<Eigen::StrictlyLower>() = h.transpose();
    out.gradient = g.lpNorm<Eigen::Infinity>();
    const Vector step = newton_step(h, g);
    out.step = step.lpNorm<Eigen::Infinity>() / (1 + x.lpNorm<Eigen::Infinity>());
    // At a minimum the gradient falls quadratically. On the way to infinity it falls by a factor of e per step
    // and the steps stay as long; a step can also be long because a gauge makes rounding large.
    const bool quadratic = out.gradient < before / 20;
    before = out.gradient;
    if (out.gradient <= options.gradient && (out.step <= short_step || quadratic))
      return out.stop = Minimum::Stop::gradient, out;
    if (out.gradient <= vanished) return out.stop = Minimum::Stop::drifting, out;
    if (out.iterations > 0 && options.stop && options.stop(at, out.value)) return out.stop = Minimum::Stop::asked, out;
    if (out.iterations >= options.max_iterations) return out.stop = Minimum::Stop::limit, out;

    // Armijo's rule; where the fall drowns in rounding, a smaller gradient is progress too.
    const double slope = g.dot(step), noise = 1e-15 * (1 + std::abs(out.value));
    double length = 1, reached = 0;
    for (; length > 1e-10; length /= 2) {
      trial = x + length * step;
      reached = value(view(trial), view(trial_gradient));
      if (reached <= out.value + 1e-4 * length * slope) break;
      if (reached <= out.value + noise && trial_gradient.lpNorm<Eigen::Infinity>() < out.gradient) break;
    }
    if (length <= 1e-10) return out.stop = Minimum::Stop::rounding, out;
    x = trial;
  }
}

}  // namespace tare::numeric
