// A non-decreasing curve through knots (x, y), linear between them and level outside. Two knots at one x are a jump, at
// which the curve has the upper value: so steps are of this kind too. fit_isotonic.hpp estimates one from data.
#pragma once

#include <array>

#include "tare/simulate/truth.hpp"

namespace tare::inner::simulate {

double isotonic_hit(Point p, std::span<const double> knots);  // knots: x0, y0, x1, y1, ...
double isotonic_miss(Point p, std::span<const double> knots);
std::string wrong_isotonic(std::span<const double> knots);
std::vector<Point> isotonic_breaks(std::span<const double> knots);

inline constexpr std::array<std::string_view, 2> isotonic_knots{"x", "y"};

inline constexpr CurveRow isotonic_row{.name = "isotonic",
                                       .formula = "linear between the knots (x, y)",
                                       .coefficients = isotonic_knots,
                                       .hit = isotonic_hit,
                                       .miss = isotonic_miss,
                                       .repeats = true,
                                       .wrong = wrong_isotonic,
                                       .breaks = isotonic_breaks};

}  // namespace tare::inner::simulate
