// Which runs of neighbouring cells a band is made of, and what share of the level each gets.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tare/numeric/order/order.hpp"

namespace tare::detail::infer {

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

}  // namespace tare::detail::infer
