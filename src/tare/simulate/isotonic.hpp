// A non-decreasing curve through knots (x, y), linear between them and level outside. Two knots at one x are a jump, at
// which the curve has the upper value: so steps are of this kind too. fit_isotonic.hpp estimates one from data.
#pragma once

#include "tare/simulate/truth.hpp"

namespace tare::inner::simulate {

extern const CurveFamily isotonic_family;  // knots: x0, y0, x1, y1, ...

}  // namespace tare::inner::simulate
