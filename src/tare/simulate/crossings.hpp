// Where a smooth curve crosses the identity: |c - T(c)| bends there, and quadrature must not step over it.
#pragma once

#include <algorithm>
#include <cmath>

#include "tare/simulate/truth.hpp"

namespace tare::inner::simulate {

// c - T(c), from the complements where those are the smaller numbers; 0 where nothing but rounding is left.
inline double gap(const Curve& curve, Point p) {
  const double g = p.c < 0.5 ? p.c - curve.hit(p) : curve.miss(p) - p.u;
  return std::abs(g) < 1e-13 * std::min(p.c, p.u) ? 0 : g;
}

// Ascending, inside (0, 1). Pairs of crossings are found down to the width at which they no longer matter.
std::vector<Point> crossings(const Curve& curve);

}  // namespace tare::inner::simulate
