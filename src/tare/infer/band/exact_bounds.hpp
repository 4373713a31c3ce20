// Exact bounds of a rate from counts, and the exact test whether one rate is above another.
#pragma once

#include <cstdint>

namespace tare::detail::infer {

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
