// Minima of smooth functions of a few unknowns by Newton's method, without taking memory: the Hessian is at hand, steps
// are halved until they help (Armijo's rule), and unknowns may have lower bounds (projected Newton, Bertsekas 1982).
// For hundreds of unknowns there is newton() in minimise.hpp. By hand, as those are.
//
// A problem with D unknowns has
//   at(x): a struct with `gradient` and `hessian`, and `value` where it is cheap. The Hessian may be a stand-in with no
//     negative curvature, where that of the function has some. Without a value the function must be convex: then the
//     slopes tell whether a step went too far.
//   residual(x, at, step): how far x is from a minimum, in units of the problem; step is Newton's from there.
// and may have
//   longest(x, step): at most this share of a step is taken;
//   strays(x): true ends the search there.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace tare::detail::numeric {

template <std::size_t D>
using SmallVector = std::array<double, D>;
template <std::size_t D>
using SmallMatrix = std::array<SmallVector<D>, D>;

template <std::size_t D>
constexpr SmallVector<D> filled(double x) {
  SmallVector<D> out{};
  out.fill(x);
  return out;
}

template <std::size_t D>
struct SmallNewtonOptions {
  double residual = 0;  // stop when it is no larger
  double enough = 0;    // when it is smaller than this, only a full step is worth an evaluation
  int max_iterations = 200;
  SmallVector<D> lower = filled<D>(-std::numeric_limits<double>::infinity());
};

template <std::size_t D, class Evaluation>
struct SmallMinimum {
  SmallVector<D> x;
  Evaluation at;
  SmallVector<D> step = {};  // Newton's from here
  double residual = 0;
  int iterations = 0;
};

template <std::size_t D>
double dot(const SmallVector<D>& a, const SmallVector<D>& b) {
  double out = 0;
  for (std::size_t j = 0; j < D; ++j) out += a[j] * b[j];
  return out;
}

// The second derivative along v.
template <std::size_t D>
double curvature_along(const SmallMatrix<D>& h, const SmallVector<D>& v) {
  double out = 0;
  for (std::size_t j = 0; j < D; ++j) out += v[j] * dot(h[j], v);
  return out;
}

// An unknown at its lower bound that would fall below.
inline bool is_held(double x, double gradient, double lower) { return x <= lower && gradient > 0; }

// Jacobi's rotations: the eigenvalues of a symmetric matrix of elements up to 1 end on its diagonal, the eigenvectors
// are the columns of the result.
template <std::size_t D>
SmallMatrix<D> diagonalise(SmallMatrix<D>& a) {
  SmallMatrix<D> vectors{};
  for (std::size_t j = 0; j < D; ++j) vectors[j][j] = 1;
  const auto rotate = [](double& x, double& y, double c, double s) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  bool done = false;
  for (int sweep = 0; sweep < 30 && !done; ++sweep) {
    done = true;
    for (std::size_t p = 0; p < D; ++p)
      for (std::size_t q = p + 1; q < D; ++q) {
        if (!(std::abs(a[p][q]) > 1e-18)) continue;
        done = false;
        const double ratio = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = std::copysign(1 / (std::abs(ratio) + std::hypot(1, ratio)), ratio);
        const double c = 1 / std::hypot(1, t), s = t * c;
        for (std::size_t j = 0; j < D; ++j) rotate(a[p][j], a[q][j], c, s);
        for (std::size_t j = 0; j < D; ++j) rotate(a[j][p], a[j][q], c, s);
        for (std::size_t j = 0; j < D; ++j) rotate(vectors[j][p], vectors[j][q], c, s);
        a[p][q] = a[q][p] = 0;
      }
  }
  return vectors;
}

// Newton's step among the unknowns that are not held. Directions without curvature are left alone: what counts as none
// does not depend on the units of the unknowns.
template <std::size_t D>
SmallVector<D> newton_step(const SmallVector<D>& gradient, const SmallMatrix<D>& hessian,
                           const std::array<bool, D>& held = {}) {
  SmallVector<D> inverse{};  // of the root of the diagonal
  for (std::size_t j = 0; j < D; ++j)
    if (!held[j] && hessian[j][j] > 0) inverse[j] = 1 / std::sqrt(hessian[j][j]);
  SmallMatrix<D> scaled{};
  for (std::size_t j = 0; j < D; ++j)
    for (std::size_t l = 0; l < D; ++l) scaled[j][l] = hessian[j][l] * inverse[j] * inverse[l];
  const SmallMatrix<D> vectors = diagonalise(scaled);
  SmallVector<D> out{};
  for (std::size_t e = 0; e < D; ++e) {
    if (!(scaled[e][e] > 1e-13)) continue;
    double along = 0;
    for (std::size_t j = 0; j < D; ++j) along -= vectors[j][e] * gradient[j] * inverse[j];
    along /= scaled[e][e];
    for (std::size_t j = 0; j < D; ++j) out[j] += along * vectors[j][e] * inverse[j];
  }
  return out;
}

// The same within lower bounds. What the other unknowns would carry across its bound is held, too.
template <std::size_t D>
SmallVector<D> step_inside(const SmallVector<D>& x, const SmallVector<D>& gradient, const SmallMatrix<D>& hessian,
                           const SmallVector<D>& lower) {
  std::array<bool, D> held;
  for (std::size_t j = 0; j < D; ++j) held[j] = is_held(x[j], gradient[j], lower[j]);
  for (;;) {
    const SmallVector<D> step = newton_step(gradient, hessian, held);
    bool inside = true;
    for (std::size_t j = 0; j < D; ++j)
      if (x[j] <= lower[j] && step[j] < 0) {
        held[j] = true;
        inside = false;
      }
    if (inside) return step;
  }
}

// Whether a step from `from` to `to` is good enough.
template <std::size_t D, class Evaluation>
bool improves(const SmallMinimum<D, Evaluation>& from, const SmallMinimum<D, Evaluation>& to) {
  if constexpr (requires { from.at.value; }) {
    double promised = 0;
    for (std::size_t j = 0; j < D; ++j) promised += from.at.gradient[j] * (to.x[j] - from.x[j]);
    const bool falls = to.at.value < from.at.value && to.at.value <= from.at.value + 1e-4 * promised;
    // at the bottom the function is flat to rounding: there the residual decides
    return falls ||
           (to.at.value <= from.at.value + 1e-14 * (1 + std::abs(from.at.value)) && to.residual < from.residual);
  } else {
    // too far: it rises steeply again, or rises where the function is flat
    const double promised = -dot(from.at.gradient, from.step), beyond = dot(to.at.gradient, from.step);
    const bool flat = curvature_along(to.at.hessian, from.step) < 0.1 * curvature_along(from.at.hessian, from.step);
    return beyond <= 0.5 * promised && !(beyond > 0 && flat);
  }
}

// From x on, to where no step helps any more or the options say stop.
template <std::size_t D, class Problem>
auto small_newton(Problem& problem, const SmallVector<D>& start, const SmallNewtonOptions<D>& options) {
  using Minimum = SmallMinimum<D, decltype(problem.at(start))>;
  const auto look = [&](const SmallVector<D>& x) {
    Minimum out{x, problem.at(x)};
    out.step = step_inside(x, out.at.gradient, out.at.hessian, options.lower);
    out.residual = problem.residual(out.x, out.at, out.step);
    return out;
  };
  Minimum here = look(start);
  while (here.residual > options.residual && here.iterations < options.max_iterations) {
    if (!(dot(here.at.gradient, here.step) < 0)) break;  // nowhere to go
    double longest = 1;
    if constexpr (requires { problem.longest(here.x, here.step); })
      longest = std::min(longest, problem.longest(here.x, here.step));
    const double shortest = here.residual < options.enough ? longest : 0x1p-40;
    bool moved = false;
    for (double t = longest; t >= shortest && !moved; t /= 2) {
      SmallVector<D> x;
      for (std::size_t j = 0; j < D; ++j) x[j] = std::max(here.x[j] + t * here.step[j], options.lower[j]);
      Minimum next = look(x);
      moved = improves(here, next);
      if (!moved) continue;
      next.iterations = here.iterations + 1;
      here = next;
    }
    if (!moved) break;
    if constexpr (requires { problem.strays(here.x); })
      if (problem.strays(here.x)) break;
  }
  return here;
}

}  // namespace tare::detail::numeric
