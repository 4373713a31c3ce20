// The one definition of a bin, shared by estimators, calibrators and plots.
//
// Equal width: (a, b], 0 in the first bin; edge j of b is the double nearest to j/b and
// membership is decided against these edges. Equal mass: the row of rank i of n goes to bin
// floor(i*b/n) in whole numbers; equal scores stay together, in the bin of their middle rank. With weights, every
// unit of mass has a rank.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tare/core/estimator.hpp"
#include "tare/core/views.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::numeric {

using detail::Binning;

// First and last rank, added, of a group that has the masses `before` and `through` before and up to its end: twice its
// middle rank, and its bin is floor(that * b / (2 n)). A rank is one unit of mass, whatever a weight of 1 is in units.
template <class Whole>
constexpr Whole twice_middle_rank(Whole before, Whole through) {
  return before + through - 1;
}

inline double width_edge(std::size_t j, std::size_t b) { return static_cast<double>(j) / static_cast<double>(b); }

// The bin of one score, by the same edges (for applying histogram maps, and for tests).
std::size_t width_bin(double score, std::size_t b);

struct BinSums {
  std::uint64_t mass = 0;
  std::uint64_t hits = 0;
  u128 score = 0;    // of to_fixed(score) * mass
  double first = 0;  // smallest and largest score inside; equal-mass bins only
  double last = 0;

  [[nodiscard]] double mean_score() const {
    // 128 bits are converted by a function call
    const double sum =
        score < (u128{1} << 63) ? static_cast<double>(static_cast<std::int64_t>(score)) : static_cast<double>(score);
    return sum / (static_cast<double>(mass) * score_scale);
  }
  [[nodiscard]] double mean_label() const { return static_cast<double>(hits) / static_cast<double>(mass); }
  void merge(const BinSums& other) {
    mass += other.mass;
    hits += other.hits;
    score += other.score;
  }
};

// All b bins, empty ones included (mass 0).
std::vector<BinSums> width_bins(const Ordered& data, std::size_t b);
std::vector<BinSums> mass_bins(const Ordered& data, std::size_t b);

// The same numbers, to the bit, straight from unsorted rows.
std::vector<BinSums> width_bins(Reals score, std::span<const std::uint8_t> mark, std::span<const double> weight,
                                std::size_t b, int threads = 1);
std::vector<BinSums> mass_bins(Reals score, std::span<const std::uint8_t> mark, std::span<const double> weight,
                               std::size_t b, int threads = 1);

// The first of low .. high - 1 for which the predicate holds, if it holds for all that follow; else high.
// Without branches on the outcome, which nobody could predict.
template <class Predicate>
std::size_t first_that(std::size_t low, std::size_t high, const Predicate& holds) {
  for (std::size_t count = high - low; count > 0;) {
    const std::size_t half = count / 2;
    const bool later = !holds(low + half);
    low = later ? low + half + 1 : low;
    count = later ? count - half - 1 : half;
  }
  return low;
}

// The same, beginning near a guess: a few steps of growing length around it, then the halving.
template <class Predicate>
std::size_t first_that_near(std::size_t guess, std::size_t low, std::size_t high, const Predicate& holds) {
  std::size_t step = std::size_t{1} << (std::bit_width(high - low) / 2);
  if (guess < high && !holds(guess)) {
    low = guess + 1;
    for (; high - low > step && !holds(low + step); step *= 4) low += step + 1;
    return first_that(low, std::min(low + step, high), holds);
  }
  high = guess;
  for (; high - low > step && holds(high - step); step *= 4) high -= step;
  return first_that(high - std::min(high - low, step), high, holds);
}

// 64 bits hold a product of two masses and a number of bins.
inline bool products_are_narrow(const Ordered& data, std::size_t b) {
  return data.total_mass() < (std::uint64_t{1} << 31) && b < (std::uint64_t{1} << 31);
}

// The first group of bin j, for j = 0 .. b (equal for neighbours: an empty bin), which is neither before `from` nor
// after `to`.
std::size_t boundary(const Ordered& data, Binning binning, std::size_t j, std::size_t b, std::size_t from = 0,
                     std::size_t to = std::numeric_limits<std::size_t>::max());

// Equal-width sums straight from rows, by vector instructions: see width_rows.cpp.

// Whether fast_width_bins can do this number of bins exactly.
bool has_fast_width_bins(std::size_t b);
std::vector<BinSums> fast_width_bins(Reals score, std::span<const std::uint8_t> mark, std::size_t b, int threads);

// Equal-mass sums from unsorted rows without sorting them: see mass_rows.cpp.

// Nothing when sorting all rows would be no slower.
std::optional<std::vector<BinSums>> select_mass_bins(Reals score, std::span<const std::uint8_t> mark, std::size_t b,
                                                     int threads);

}  // namespace tare::detail::numeric
