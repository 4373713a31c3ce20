// Where a smooth curve crosses the identity: |c - T(c)| bends there, and quadrature must not step over it.
#pragma once

#include "tare/simulate/truth.hpp"

namespace tare::simulate {

// c - T(c), from the complements where those are the smaller numbers.
inline double gap(const Curve& curve, Point p) { return p.c < 0.5 ? p.c - curve.hit(p) : curve.miss(p) - p.u; }

// Ascending, inside (0, 1). Pairs of crossings are found down to the width at which they no longer matter.
std::vector<Point> crossings(const Curve& curve);

}  // namespace tare::simulate
