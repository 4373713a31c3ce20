// A 95% interval for the true error of norm 2, from a squared error D that noise does not bias (Estimate::spread): all
// q that D does not contradict, (D - q)^2 <= z^2 (se_null^2 + per_square q).
#pragma once

#include "tare/core/results.hpp"

namespace tare::detail::measure {

// skew: standard deviations that count below D where the true error is 0.
ValueInterval square_interval(const Estimate& estimate, double skew);

}  // namespace tare::detail::measure
