// Minima of smooth functions from exact gradients: Newton's method with a dense Hessian for hundreds of
// unknowns, L-BFGS or Newton's method by conjugate gradients for more (Nocedal & Wright 2006, algorithms 3.2, 3.5, 3.6,
// 7.1, 7.4 and 7.5).
// By hand: Eigen has no minimisers, and these stop when they are asked to and say why they stopped.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>

namespace tare::detail::numeric {

struct Minimum {
  enum class Stop { gradient, asked, drifting, limit, rounding, not_finite };
  Stop stop = Stop::limit;
  double value = 0;
  double gradient = 0;  // largest component
  double step = 0;      // both Newtons: largest component of the step it would take next
  int iterations = 0;
};

struct MinimiseOptions {
  double gradient = 1e-10;  // stop when no component is larger
  int max_iterations = 1000;
  bool at_infinity = false;  // both Newtons: known to have no minimum, so long steps at the end are no news
  // Called after every step; true stops ("asked"). Whatever is no finite number stops, too ("not_finite").
  std::function<bool(std::span<const double> x, double value)> stop = {};
};

// Returns the value at x and writes the gradient.
using Gradient = std::function<double(std::span<const double> x, std::span<double> gradient)>;
// The same, and the Hessian (row by row, only the lower triangle is read).
using Curvature =
    std::function<double(std::span<const double> x, std::span<double> gradient, std::span<double> hessian)>;
// in place: an approximate inverse Hessian times r, symmetric and positive definite.
using Precondition = std::function<void(std::span<double> r)>;

// Convex functions. Directions without curvature (a gauge) do no harm. "drifting": the gradient has
// vanished but the steps have not, as where the infimum lies at infinity.
Minimum newton(const Gradient& value, const Curvature& curvature, std::span<double> x,
               const MinimiseOptions& options = {});

// A convex function whose Hessian H is too large to write down. D is some positive definite matrix about as large as H
// where the function is most curved; damping times D keeps steps short in directions in which the curvature says
// little.
class Curved {
 public:
  Curved() = default;
  Curved(const Curved&) = delete;
  Curved& operator=(const Curved&) = delete;
  virtual ~Curved() = default;
  virtual double value(std::span<const double> x, std::span<double> gradient) = 0;
  virtual void move_to(std::span<const double> x) = 0;                         // from here on H is that at x
  virtual void prepare(double damping) = 0;                                    // from here on it is this damping
  virtual void product(std::span<const double> v, std::span<double> out) = 0;  // (H + damping D) v
  virtual void precondition(std::span<double> r) = 0;  // in place: about (H + damping D)^-1 r, symmetric and definite
};

// Newton's steps, each found by conjugate gradients only as exactly as it is worth, damped as Levenberg and Marquardt
// do, and shortened where they go too far. Directions without curvature do no harm.
Minimum newton_cg(Curved& f, std::span<double> x, const MinimiseOptions& options = {});

// Any smooth function; strong Wolfe line search.
Minimum lbfgs(const Gradient& f, std::span<double> x, const MinimiseOptions& options = {},
              const Precondition& precondition = {});

// Eigen's vectors, as the minimisers see them.

using Vector = Eigen::VectorXd;

inline std::span<double> view(Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

}  // namespace tare::detail::numeric
