// T = c^d: overconfident everywhere for d > 1. Roelofs et al. 2022, Figures 2, 5 and 13.
#pragma once

#include "tare/simulate/link.hpp"

namespace tare::inner::simulate {

inline constexpr std::array<std::string_view, 1> power_d{"d"};

inline std::string wrong_power(std::span<const double> d) { return d[0] > 0 ? "" : "d must be above 0"; }

inline constexpr CurveRow power_row{
    .name = "power",
    .formula = "c^d",
    .coefficients = power_d,
    .hit = [](Point p, std::span<const double> d) { return std::exp(d[0] * log_of_score(p)); },
    .miss = [](Point p, std::span<const double> d) { return -std::expm1(d[0] * log_of_score(p)); },
    .wrong = wrong_power};

}  // namespace tare::inner::simulate
