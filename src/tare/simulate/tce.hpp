// The true calibration error, ( E |c - T(c)|^p )^(1/p) over the scores: a closed form in moments and incomplete moments
// of the Beta distribution where the curve is a power of c or of 1 - c, else quadrature; of empirical scores, the mean.
// Roelofs et al. 2022, equation 1. The curve is taken as it is, also where it leaves [0, 1].
#pragma once

#include <algorithm>
#include <cmath>

#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

// norm 1 or 2. Good to 1e-10 of its value; undefined where the integral has none.
Result<double> true_error(const Truth& truth, int norm);

// Where a smooth curve crosses the identity: |c - T(c)| bends there, and quadrature must not step over it.

// c - T(c), from the complements where those are the smaller numbers; 0 where nothing but rounding is left.
inline double gap(const Curve& curve, ScorePoint p) {
  const double g = p.c < 0.5 ? p.c - curve.hit(p) : curve.miss(p) - p.u;
  return std::abs(g) < 1e-13 * std::min(p.c, p.u) ? 0 : g;
}

// Ascending, inside (0, 1). Pairs of crossings are found down to the width at which they no longer matter.
std::vector<ScorePoint> crossings(const Curve& curve);

}  // namespace tare::detail::simulate
