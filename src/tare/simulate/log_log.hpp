// ln T = b0 + b1 ln c. The identity is b0 = 0, b1 = 1; above 1 where b0 > 0. Roelofs et al. 2022, Table 3.
#pragma once

#include "tare/simulate/link.hpp"

namespace tare::inner::simulate {

inline constexpr CurveRow log_log_row = glm_row<Link::log, Link::log>("log_log", "exp(b0) c^b1");

}  // namespace tare::inner::simulate
