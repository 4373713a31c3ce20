// A band that holds the whole calibration curve in at least 95 of 100 samples, whatever n and the curve are, if only
// the curve never falls: exact binomial bounds over runs of neighbouring scores, the level shared among the runs.
// Dimitriadis, Dümbgen, Henzi, Puke and Ziegel 2023, "Honest calibration assessment for binary outcome predictions",
// with fewer runs (below).
//
// The rows of a run have at least the rate of its first score, so that the upper bound of their rate is one of the
// curve at that score, and hence at all before it. The least of the upper bounds of all runs that begin at or after a
// score bounds the curve there; from below the greatest lower bound of all runs that end at or before it.
//
// A tenth of the level goes into tests whether the curve falls (Fisher's, of neighbouring runs). Where one rejects, or
// the bounds contradict each other, the band is one that assumes nothing: exact bounds of the mean of the curve over
// each of a few spans. Where the scores have at most 30 values, each has its own exact interval and nothing is assumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tare/core/curve.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::infer {

// Weights are frequencies. Where they are not whole numbers there is no band, and the result says so.
CurveBand curve_band(const numeric::Ordered& rows, double level = 0.95);

// Which runs of neighbouring cells a band is made of, and what share of the level each gets.

// The cells from .. to - 1.
struct Run {
  std::size_t from = 0, to = 0;
  double share = 0;  // of the level; all together 1
};

// Runs of all rows, of half of them, of a quarter, ... as long as `least` rows are in them; of each length they begin
// at every quarter of it. Bounds are moved to the nearest bound of a cell, and what coincides counts once, with the
// longer. Every length gets the same share, and its runs share it equally: there are few long runs, so that their
// bounds, which are those that matter where the curve is smooth, are nearly as narrow as that of one run alone.
std::vector<Run> make_runs(const numeric::Ordered& cells, std::size_t least = 20);

// Pairs of runs of one length that meet, from which a fall is seen best. `share` is that of the pair.
struct RunPair {
  std::size_t from = 0, middle = 0, to = 0;
  double share = 0;
};
std::vector<RunPair> make_pairs(const numeric::Ordered& cells, std::size_t least = 20);

// Exact bounds of a rate from counts, and the exact test whether one rate is above another.

struct Counts {
  std::uint64_t hits = 0;
  std::uint64_t rows = 0;
};

// Clopper and Pearson 1934: at every rate above upper_bound, as few hits as were seen, or fewer, have a probability
// below `level`; at every rate below lower_bound, as many or more have. Both hold for the mean of rates that differ
// from row to row, too, for levels as small as those used here (Hoeffding 1956).
double lower_bound(Counts seen, double level);
double upper_bound(Counts seen, double level);

// Fisher's exact test that the first rate is not above the second: the probability of as many of all hits, or more,
// among the first rows. Where the sum is long, no less than it.
double fall_p_value(Counts first, Counts second);

}  // namespace tare::detail::infer
