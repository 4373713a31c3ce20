// Has the calibration curve moved between two periods? P(y = 1 | s) = c(s) in both, c unknown, is tested within common
// strata of the score (strata.hpp), so that drift of the scores alone does not count.
//
// Given how many hits a stratum has in both periods together, those of today are hypergeometric, with mean n1 H / N and
// variance w = n1 n0 H (N - H) / (N^2 (N - 1)). U is what today's hits exceed the mean by, less what the slope of the
// pooled curve explains where mean scores differ within a stratum. With information time t from w and polynomials
// orthonormal for sum w f g, there are four parts: level (weight 3/8), tilt (2/8), shape (2/8), place (1/8), as in
// smooth_test. The loudest is ranked among redrawings of today's hits: at the level 5% for tied scores exactly,
// whatever the curve and the two distributions of scores (Mantel and Haenszel 1959, Cochran 1954).
#pragma once

#include <array>
#include <cstdint>

#include "tare/core/watch.hpp"
#include "tare/watch/period.hpp"

namespace tare::inner::watch {

inline constexpr std::array moved_parts{"level", "tilt", "shape", "place"};

Moved moved(const Period& before, const Period& today, std::size_t resamples, std::uint64_t seed);

}  // namespace tare::inner::watch
