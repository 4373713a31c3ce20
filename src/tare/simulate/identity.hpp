// T = c: perfect calibration.
#pragma once

#include "tare/simulate/truth.hpp"

namespace tare::inner::simulate {

inline constexpr CurveRow identity_row{.name = "identity",
                                       .formula = "c",
                                       .coefficients = {},
                                       .hit = [](Point p, std::span<const double>) { return p.c; },
                                       .miss = [](Point p, std::span<const double>) { return p.u; },
                                       .breaks = [](std::span<const double>) { return std::vector<Point>{}; }};

}  // namespace tare::inner::simulate
