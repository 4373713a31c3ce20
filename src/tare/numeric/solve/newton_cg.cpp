#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tare/numeric/solve/minimise.hpp"

namespace tare::detail::numeric {
namespace {

struct Step {
  Vector s;
  double slope = 0;  // gradient times s
  double gain = 0;   // what the damped quadratic model promises
};

// Conjugate gradients for (H + damping D) s = -g until the residual, in the norm of the preconditioner, is a part
// `enough` of the gradient.
Step solve(Curved& f, const Vector& g, double enough) {
  constexpr int most_products = 300;
  Vector s = Vector::Zero(g.size()), r = -g, z = r, product(g.size());
  f.precondition(view(z));
  Vector p = z;
  double rz = r.dot(z);  // about twice what is left to gain: near the end the steps become exact
  const double goal = std::min(enough * enough, rz) * rz;
  for (int i = 0; i < most_products && rz > 0 && std::isfinite(rz); ++i) {
    f.product({p.data(), static_cast<std::size_t>(p.size())}, view(product));
    const double curvature = p.dot(product);
    if (!(curvature > 0) || !std::isfinite(curvature)) break;  // rounding, or a gauge
    s += rz / curvature * p;
    r -= rz / curvature * product;
    z = r;
    f.precondition(view(z));
    const double next = r.dot(z);
    if (next <= goal) break;
    p = z + next / rz * p;
    rz = next;
  }
  if (s.isZero(0)) s = z;  // not one product was any good: downhill
  const double slope = g.dot(s);
  const double gain = (r.dot(s) - slope) / 2;
  return {std::move(s), slope, gain};
}

// Where between 0 and `length` the cubic through both ends is smallest, kept away from them.
double interpolate(double length, double rise, double slope, double slope_there) {
  const double d1 = slope + slope_there - 3 * rise / length, square = d1 * d1 - slope * slope_there;
  double t = std::numeric_limits<double>::quiet_NaN();
  if (square >= 0) {
    const double d2 = std::sqrt(square);
    t = length * (1 - (slope_there + d2 - d1) / (slope_there - slope + 2 * d2));
  }
  return std::isfinite(t) ? std::clamp(t, 0.1 * length, 0.8 * length) : length / 4;
}

}  // namespace

Minimum newton_cg(Curved& f, std::span<double> at, const MinimiseOptions& options) {
  const auto d = static_cast<Eigen::Index>(at.size());
  Eigen::Map<Vector> x(at.data(), d);
  Vector g(d), trial(d), trial_gradient(d);
  constexpr double vanished = 1e-13, short_step = 1e-4, rough = 0.3, least = 1e-15, largest = 1e6;
  Minimum out;
  out.value = f.value(at, view(g));
  double before = std::numeric_limits<double>::infinity(), damping = 1e-3;
  for (;; ++out.iterations) {
    if (!std::isfinite(out.value) || !g.allFinite()) {
      out.gradient = std::numeric_limits<double>::infinity();
      return out.stop = Minimum::Stop::not_finite, out;
    }
    out.gradient = g.lpNorm<Eigen::Infinity>();
    const bool small = out.gradient <= options.gradient, quadratic = out.gradient < before / 20;
    before = out.gradient;
    if (out.gradient == 0 || (small && (quadratic || options.at_infinity)))
      return out.stop = Minimum::Stop::gradient, out;
    if (out.gradient <= vanished) return out.stop = Minimum::Stop::drifting, out;
    if (out.iterations > 0 && options.stop && options.stop(at, out.value)) return out.stop = Minimum::Stop::asked, out;
    if (out.iterations >= options.max_iterations) return out.stop = Minimum::Stop::limit, out;
    f.move_to(at);
    f.prepare(damping);
    Step step = solve(f, g, rough);
    out.step = step.s.lpNorm<Eigen::Infinity>() / (1 + x.lpNorm<Eigen::Infinity>());
    if (small && out.step <= short_step) return out.stop = Minimum::Stop::gradient, out;

    double length = 1, reached = 0;
    bool found = false;
    for (int tries = 0; tries < 12 && !found; ++tries) {
      trial = x + length * step.s;
      reached = f.value(view(trial), view(trial_gradient));
      const bool finite = std::isfinite(reached) && trial_gradient.allFinite();
      const double noise = 1e-15 * (1 + std::abs(out.value));
      // Armijo's rule; where the fall drowns in rounding, a smaller gradient is progress too.
      found = finite && (reached <= out.value + 1e-4 * length * step.slope ||
                         (reached <= out.value + noise && trial_gradient.lpNorm<Eigen::Infinity>() < out.gradient));
      if (!found)
        length =
            finite ? interpolate(length, reached - out.value, step.slope, trial_gradient.dot(step.s)) : length / 10;
    }
    if (!found) {
      if (damping >= largest) return out.stop = Minimum::Stop::rounding, out;
      damping = std::max(1e-6, damping * 1e3);
      continue;
    }
    // Levenberg and Marquardt: less damping where the model kept its promise, more where it reached too far.
    const double kept = (out.value - reached) / step.gain;
    if (length < 1)
      damping *= std::min(10.0, 1 / (length * length));
    else if (kept > 0.5)
      damping /= kept > 0.9 ? 10 : 2;
    damping = std::clamp(damping, least, largest);
    x = trial;
    g = trial_gradient;
    out.value = reached;
  }
}

}  // namespace tare::detail::numeric
