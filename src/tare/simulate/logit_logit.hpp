// logit T = b0 + b1 logit c: Platt's curve. The identity is b0 = 0, b1 = 1. Roelofs et al. 2022, Table 3.
#pragma once

#include "tare/simulate/link.hpp"

namespace tare::inner::simulate {

inline constexpr CurveRow logit_logit_row =
    glm_row<Link::logit, Link::logit>("logit_logit", "sigma(b0 + b1 ln(c/(1-c)))");

}  // namespace tare::inner::simulate
