// Minima of smooth functions from exact gradients: Newton's method with a dense Hessian for hundreds of
// unknowns, L-BFGS for more (Nocedal & Wright 2006, algorithms 3.2, 3.5, 3.6, 7.4 and 7.5).
#pragma once

#include <functional>
#include <span>

namespace tare::numeric {

struct Minimum {
  enum class Stop { gradient, asked, drifting, limit, rounding };
  Stop stop = Stop::limit;
  double value = 0;
  double gradient = 0;  // largest component
  double step = 0;      // Newton: largest component of the step it would take next
  int iterations = 0;
};

struct MinimiseOptions {
  double gradient = 1e-10;  // stop when no component is larger
  int max_iterations = 1000;
  bool at_infinity = false;  // Newton: known to have no minimum, so long steps at the end are no news
  // Called after every step; true stops ("asked").
  std::function<bool(std::span<const double> x, double value)> stop = {};
};

// Returns the value at x and writes the gradient.
using Gradient = std::function<double(std::span<const double> x, std::span<double> gradient)>;
// The same, and the Hessian (row by row, only the lower triangle is read).
using Curvature = std::function<double(std::span<const double> x, std::span<double> gradient, std::span<double> hessian)>;
// in place: an approximate inverse Hessian times r, symmetric and positive definite.
using Precondition = std::function<void(std::span<double> r)>;

// Convex functions. Directions without curvature (a gauge) do no harm. "drifting": the gradient has
// vanished but the steps have not, as where the infimum lies at infinity.
Minimum newton(const Gradient& value, const Curvature& curvature, std::span<double> x,
               const MinimiseOptions& options = {});

// Any smooth function; strong Wolfe line search.
Minimum lbfgs(const Gradient& f, std::span<double> x, const MinimiseOptions& options = {},
              const Precondition& precondition = {});

}  // namespace tare::numeric
