// ln(1 - T) = b0 + b1 ln(1 - c). The identity is b0 = 0, b1 = 1; below 0 near c = 0 where b0 > 0. Roelofs et al. 2022,
// Table 3.
#pragma once

#include "tare/simulate/link.hpp"

namespace tare::inner::simulate {

inline constexpr CurveRow logflip_logflip_row =
    glm_row<Link::logflip, Link::logflip>("logflip_logflip", "1 - exp(b0) (1-c)^b1");

}  // namespace tare::inner::simulate
