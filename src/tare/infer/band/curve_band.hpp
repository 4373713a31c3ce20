// A band that holds the whole calibration curve in at least 95 of 100 samples, whatever n and the curve are, if only
// the curve never falls: exact binomial bounds over runs of neighbouring scores, the level shared among the runs.
// Dimitriadis, Dümbgen, Henzi, Puke and Ziegel 2023, "Honest calibration assessment for binary outcome predictions",
// with fewer runs (runs.hpp).
//
// The rows of a run have at least the rate of its first score, so that the upper bound of their rate is one of the
// curve at that score, and hence at all before it. The least of the upper bounds of all runs that begin at or after a
// score bounds the curve there; from below the greatest lower bound of all runs that end at or before it.
//
// A tenth of the level goes into tests whether the curve falls (Fisher's, of neighbouring runs). Where one rejects, or
// the bounds contradict each other, the band is one that assumes nothing: exact bounds of the mean of the curve over
// each of a few spans. Where the scores have at most 30 values, each has its own exact interval and nothing is assumed.
#pragma once

#include "tare/core/curve.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::infer {

// Weights are frequencies. Where they are not whole numbers there is no band, and the result says so.
CurveBand curve_band(const numeric::Ordered& rows, double level = 0.95);

}  // namespace tare::detail::infer
