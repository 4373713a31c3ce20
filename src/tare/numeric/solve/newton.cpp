#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tare/numeric/solve/minimise.hpp"

namespace tare::detail::numeric {
namespace {

// (H + damping I) step = -gradient, with more damping where H is not definite to rounding. Empty where no damping
// serves, because the numbers are too large or too small for any step.
Vector damped_step(const Eigen::MatrixXd& hessian, const Vector& gradient, double& damping) {
  for (; damping <= 1e300; damping *= 100) {
    Eigen::MatrixXd damped = hessian;
    damped.diagonal().array() += damping;
    const Eigen::LLT<Eigen::MatrixXd> factor(damped);
    if (factor.info() != Eigen::Success) continue;
    const Vector step = -factor.solve(gradient);
    if (step.allFinite() && step.dot(gradient) < 0) return step;
  }
  return {};
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
  double before = std::numeric_limits<double>::infinity(), damping = 0;
  for (;; ++out.iterations) {
    // row by row and lower, read as column by column, is the upper triangle
    out.value = curvature(at, view(g), {h.data(), static_cast<std::size_t>(d * d)});
    h.triangularView<Eigen::StrictlyLower>() = h.transpose();
    if (!std::isfinite(out.value) || !g.allFinite() || !h.allFinite()) {
      out.gradient = std::numeric_limits<double>::infinity();
      return out.stop = Minimum::Stop::not_finite, out;
    }
    out.gradient = g.lpNorm<Eigen::Infinity>();
    if (out.gradient == 0) return out.stop = Minimum::Stop::gradient, out;
    // a little of the identity, far below any curvature that matters, keeps a gauge from making H singular
    const double least = 1e-14 * std::max(h.diagonal().maxCoeff(), 1e-3 * out.gradient);
    damping = std::max({damping, least, std::numeric_limits<double>::min()});
    Vector step = damped_step(h, g, damping);
    if (step.size() == 0) return out.stop = Minimum::Stop::rounding, out;
    out.step = step.lpNorm<Eigen::Infinity>() / (1 + x.lpNorm<Eigen::Infinity>());
    // At a minimum the gradient falls quadratically. On the way to infinity it falls by a factor of e per step
    // and the steps stay as long; a step can also be long because a gauge makes rounding large.
    const bool quadratic = out.gradient < before / 20;
    before = out.gradient;
    if (out.gradient <= options.gradient && (out.step <= short_step || quadratic || options.at_infinity))
      return out.stop = Minimum::Stop::gradient, out;
    if (out.gradient <= vanished) return out.stop = Minimum::Stop::drifting, out;
    if (out.iterations > 0 && options.stop && options.stop(at, out.value)) return out.stop = Minimum::Stop::asked, out;
    if (out.iterations >= options.max_iterations) return out.stop = Minimum::Stop::limit, out;

    // Armijo's rule; where the fall drowns in rounding, a smaller gradient is progress too.
    const auto accepts = [&](double length) {
      trial = x + length * step;
      const double reached = value(view(trial), view(trial_gradient)), noise = 1e-15 * (1 + std::abs(out.value));
      if (!std::isfinite(reached) || !trial_gradient.allFinite()) return false;
      return reached <= out.value + 1e-4 * length * g.dot(step) ||
             (reached <= out.value + noise && trial_gradient.lpNorm<Eigen::Infinity>() < out.gradient);
    };
    // Where the model is no good (saturated rows have no curvature) halving a step that is far too long takes
    // for ever: after three halvings the damping grows instead, and shrinks again with success.
    const double largest = 1e12 * (1 + h.diagonal().maxCoeff() + out.gradient);
    double length = 1;
    while (!accepts(length) && damping < largest) {
      if ((length /= 2) >= 0.125) continue;
      damping = std::max(damping * 30, 1e-6 * (h.diagonal().maxCoeff() + out.gradient));
      step = damped_step(h, g, damping);
      if (step.size() == 0) return out.stop = Minimum::Stop::rounding, out;
      length = 1;
    }
    if (damping >= largest) return out.stop = Minimum::Stop::rounding, out;
    damping = length == 1 ? damping / 100 : damping;
    x = trial;
  }
}

}  // namespace tare::detail::numeric
