// T = 1 - (1 - c)^d: underconfident everywhere for d > 1. Roelofs et al. 2022, the authors' synthetic studies.
#pragma once

#include "tare/simulate/power.hpp"

namespace tare::inner::simulate {

inline constexpr CurveRow flipped_power_row{
    .name = "flipped_power",
    .formula = "1 - (1-c)^d",
    .coefficients = power_d,
    .hit = [](Point p, std::span<const double> d) { return -std::expm1(d[0] * log_of_complement(p)); },
    .miss = [](Point p, std::span<const double> d) { return std::exp(d[0] * log_of_complement(p)); },
    .wrong = wrong_power};

}  // namespace tare::inner::simulate
