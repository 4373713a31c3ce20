// Has the calibration curve moved between two periods? P(y = 1 | s) = c(s) in both, c unknown, is tested within common
// strata of the score (strata(), below), so that drift of the scores alone does not count.
//
// Given how many hits a stratum has in both periods together, those of today are hypergeometric, with mean n1 H / N and
// variance w = n1 n0 H (N - H) / (N^2 (N - 1)). U is what today's hits exceed the mean by, less what the slope of the
// pooled curve explains where mean scores differ within a stratum. With information time t from w and polynomials
// orthonormal for sum w f g, there are four parts: level (weight 3/8), tilt (2/8), shape (2/8), place (1/8), as in
// smooth_test. The largest part is ranked among redrawings of today's hits: at the level 5% for tied scores exactly,
// whatever the curve and the two distributions of scores (Mantel and Haenszel 1959, Cochran 1954).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tare/core/watch.hpp"
#include "tare/watch/directions.hpp"

namespace tare::detail::watch {

inline constexpr std::array calibration_shift_parts{"level", "tilt", "shape", "place"};

// `day` is the number of the day within its watch. Each has redrawings of its own: with the same ones for all days, one
// seed would reject too often, or too seldom, on all of them alike.
CalibrationShift calibration_shift(const Period& before, const Period& today, std::size_t resamples, std::uint64_t seed,
                                   std::uint32_t day = 0);

// Have the scores drifted? The two-sample test of Kolmogorov and Smirnov: the largest difference D between the shares
// of rows with a score up to x, and the tail of Kolmogorov's distribution at (sqrt(m) + 0.12 + 0.11 / sqrt(m)) D with
// m = n0 n1 / (n0 + n1) (Stephens 1970). Equal scores make the p-value larger than need be, never smaller.

ScoreDrift score_drift(const Period& before, const Period& today);

// The probability that Kolmogorov's distribution exceeds x.
double kolmogorov_tail(double x);

// Common strata of two periods, from their scores alone: one for each score if there are at most 128 different ones;
// else of equal mass of today, equal scores together, joined until both periods have 8 rows in each.

inline constexpr std::size_t most_strata = 128;

struct Side {  // a period in a stratum
  double rows = 0, hits = 0;
  double score = 0;  // sum
  [[nodiscard]] double mean() const { return score / (rows > 1 ? rows : 1); }
};

struct Stratum {
  Side before, today;
  void join(const Stratum& other);
};

std::vector<Stratum> strata(const Period& before, const Period& today);

}  // namespace tare::detail::watch
