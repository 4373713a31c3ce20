// The cells of a running state: a fixed chain of ever coarser partitions of [0, 1], each nested in the one before.
//
// With q = min(p, 1 - p), tier j is how many of 2^-4, 2^-8, ..., 2^-48 lie above q, and at step r a cell of tier j is
// 2^-(r + 3j) wide; q = 0 has a cell of its own, and p > 1/2 is the mirror image. So cells are fine in the middle and
// nearly relative at both ends, about 2.75 * 2^r of them. Bins of equal width cut cells, too. The chain begins with
// every score by itself, goes on with r = 52, 51, ... and ends at r = 4. A state of at most M cells uses the finest
// step that leaves no more than M of them non-empty: a function of the set of scores alone, and since that number only
// grows with the set, every part of the data is at least as fine as the whole. This is why any split, any order and any
// tree of merges gives the same cells. Scaling by a power of two and cutting off are exact: the same on every machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/numeric/exact/fixed.hpp"

namespace tare::detail::state {

using numeric::u128;

inline constexpr int exact_step = 53;  // every score has a cell of its own
inline constexpr int last_step = 4;
inline constexpr int fine_bits = 40;              // where a weight is not whole, weight 1 is so many bits of mass
inline constexpr u128 most_mass = u128{1} << 40;  // of rows of weight 1: as much as views take
inline constexpr double many = -1;                // Cell::only of a cell with several scores
inline constexpr std::uint64_t deepest = 12;      // tier
inline constexpr std::uint64_t mirror = std::uint64_t{1} << 57;  // place(1 - p) = mirror - place(p)

struct Shape {
  std::size_t most = std::size_t{1} << 16;  // cells
  std::size_t bins = 15;                    // of equal width, which cut cells
  bool operator==(const Shape&) const = default;
};

struct Cell {
  std::uint64_t place = 0;  // rises with the score; at exact_step the bits of the score
  std::uint32_t bin = 0;
  double only = many;  // the score of all rows inside
  u128 mass = 0, hits = 0;
  u128 score = 0;  // sum of to_fixed(score) * mass
  bool operator==(const Cell&) const = default;
};

// The cell of a score at a step, as a number that rises with the score. Without branches, which nobody could predict.
inline std::uint64_t place_of(double p, int step) {
  if (step == exact_step) return std::bit_cast<std::uint64_t>(p);
  const double q = std::min(p, 1 - p);  // exact
  const std::uint64_t tier = std::min((1022 - (std::bit_cast<std::uint64_t>(q) >> 52)) / 4, deepest);
  const double scale = std::bit_cast<double>((1023 + static_cast<std::uint64_t>(step) + 3 * tier) << 52);
  const auto in_tier = static_cast<std::uint64_t>(static_cast<std::int64_t>(q * scale));  // at most 2^51
  const std::uint64_t place = ((deepest - tier) << 52 | in_tier) + (q != 0);
  const std::uint64_t high = -std::uint64_t{p > 0.5};  // all bits or none
  return (place ^ high) - high + (mirror & high);      // place, or mirror - place
}

// The cell at a coarser step that holds this one.
inline std::uint64_t coarser_place(std::uint64_t place, int by) {
  const bool low = place <= mirror / 2;
  const std::uint64_t from_end = low ? place : mirror - place;
  if (from_end == 0) return place;
  constexpr std::uint64_t in_tier = (std::uint64_t{1} << 52) - 1;
  const std::uint64_t n = from_end - 1, out = ((n & ~in_tier) | (n & in_tier) >> by) + 1;
  return low ? out : mirror - out;
}
inline std::uint64_t place_at(const Cell& cell, int from, int to) {
  if (from == to) return cell.place;
  return cell.only != many ? place_of(cell.only, to) : coarser_place(cell.place, from - to);
}

// The smallest and the largest score that belong to a place and a bin; empty (low > high) where there is none. Exact
// for cells that hold more than one double.
struct Ends {
  double low = 0, high = 1;
};
Ends ends_of(std::uint64_t place, std::uint32_t bin, int step, std::size_t bins);

// Everything a state knows: cells in ascending order, and sums over all rows.
struct Body {
  int step = exact_step;
  bool fine = false;  // weight 1 is 2^fine_bits of mass; else 1
  std::vector<Cell> cells = {};
  u128 mass = 0;
  bool operator==(const Body&) const = default;
};

// Of rows of a view, or of a part of one. A step finer than `step` is not tried.
Body body_of(Reals score, std::span<const std::uint8_t> label, std::span<const double> weight, const Shape& shape,
             int step);
// Both together, at the finest step that fits.
Body merged(Body left, Body right, const Shape& shape);

// Of cells of one step in any order, with unit mass: equal ones are pooled, and each score is by itself where no cell
// has several.
Body body_of_cells(std::vector<Cell> cells, int step, const Shape& shape);

// How many cells are left at a coarser step.
std::size_t count_at(std::span<const Cell> cells, int from, int to);

bool is_whole(std::span<const double> weight);
u128 mass_of(double weight, bool fine);

}  // namespace tare::detail::state
