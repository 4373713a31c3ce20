// logit T = b0 + b1 ln(1 - c): rises where b1 < 0, and never is the identity. Roelofs et al. 2022, Table 3.
#pragma once

#include "tare/simulate/link.hpp"

namespace tare::inner::simulate {

inline constexpr CurveRow logit_logflip_row =
    glm_row<Link::logit, Link::logflip>("logit_logflip", "sigma(b0 + b1 ln(1-c))");

}  // namespace tare::inner::simulate
