// T = sigma(a (c - b)). Roelofs et al. 2022, Figure 14: a = 10, b = 0.5.
#pragma once

#include <array>

#include "tare/simulate/link.hpp"

namespace tare::inner::simulate {

inline constexpr std::array<std::string_view, 2> logistic_a_b{"a", "b"};

inline constexpr CurveRow logistic_row{
    .name = "logistic",
    .formula = "sigma(a (c - b))",
    .coefficients = logistic_a_b,
    .hit = [](Point p, std::span<const double> a) { return inverse_hit<Link::logit>(a[0] * (p.c - a[1])); },
    .miss = [](Point p, std::span<const double> a) { return inverse_miss<Link::logit>(a[0] * (p.c - a[1])); }};

}  // namespace tare::inner::simulate
