// The bins of numeric/bins.hpp one at a time, skipping empty ones: finding a bin costs a few steps
// whatever the number of bins, which is what sweeps over many bin counts need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tare/numeric/bins.hpp"

namespace tare::numeric {

// The groups from .. to-1 of one bin.
struct GroupRange {
  std::size_t from = 0;
  std::size_t to = 0;
};

class BinWalk {
 public:
  BinWalk(const Ordered& data, Binning binning, std::size_t b) : data_(data), binning_(binning), b_(b) {
    // 64-bit products suffice below 2^31 units of mass and 2^31 bins
    narrow_ = data.total_mass() < (std::uint64_t{1} << 31) && b < (std::uint64_t{1} << 31);
  }

  // The bin that holds group g.
  [[nodiscard]] GroupRange around(std::size_t g) const {
    const std::size_t j = bin_of(g);
    if (ranks_are_groups()) return {boundary(j), end_of(g, j)};
    std::size_t from = g;
    for (std::size_t step = 1; from > 0 && !before(from - 1, j); step *= 2) {
      const std::size_t probe = from > step ? from - step : 0;
      from = before(probe, j) ? first(probe + 1, from, [&](std::size_t h) { return !before(h, j); }) : probe;
    }
    return {from, end_of(g, j)};
  }

  // The non-empty bin that starts with group g.
  [[nodiscard]] GroupRange starting(std::size_t g) const { return {g, end_of(g, bin_of(g))}; }

  // Index of the bin of group g among the b bins.
  [[nodiscard]] std::size_t bin_of(std::size_t g) const {
    if (binning_ == Binning::width) return width_bin(data_.score(g), b_);
    const std::uint64_t m = twice_middle(g);
    if (narrow_) return m * b_ / (2 * data_.total_mass());
    return static_cast<std::size_t>(static_cast<u128>(m) * b_ / (static_cast<u128>(2) * data_.total_mass()));
  }

 private:
  // Twice the middle rank of the group, first + last, in units of mass; see mass_boundary in bins.cpp.
  [[nodiscard]] std::uint64_t twice_middle(std::size_t g) const {
    const std::uint64_t sum = data_.mass_before(g) + data_.mass_before(g + 1);
    return sum > data_.unit() ? sum - data_.unit() : 0;
  }

  [[nodiscard]] bool before(std::size_t g, std::size_t j) const {  // bin_of(g) < j, without dividing
    if (binning_ == Binning::width) return j > 0 && data_.score(g) <= width_edge(j, b_);
    const std::uint64_t m = twice_middle(g);
    if (narrow_) return m * b_ < 2 * data_.total_mass() * j;
    return static_cast<u128>(m) * b_ < static_cast<u128>(2) * data_.total_mass() * j;
  }

  // Equal mass without ties or weights: bin edges are plain ranks.
  [[nodiscard]] bool ranks_are_groups() const {
    return binning_ == Binning::mass && data_.total_mass() == data_.groups();
  }
  [[nodiscard]] std::size_t boundary(std::size_t j) const {
    return narrow_ ? (j * data_.groups() + b_ - 1) / b_ : mass_boundary(data_, j, b_);
  }

  // First group after g outside bin j: doubling steps, then bisection.
  [[nodiscard]] std::size_t end_of(std::size_t g, std::size_t j) const {
    const std::size_t groups = data_.groups();
    if (j + 1 >= b_) return groups;
    if (ranks_are_groups()) return boundary(j + 1);
    if (binning_ == Binning::width) return first_above(data_.scores(), width_edge(j + 1, b_));
    std::size_t low = g + 1, step = 1;  // everything below low is inside
    while (low + step <= groups && before(low + step - 1, j + 1)) {
      low += step;
      step *= 2;
    }
    return first(low, std::min(low + step - 1, groups), [&](std::size_t h) { return !before(h, j + 1); });
  }

  // Bisection without branches, always of the whole: its first steps then find their scores in the cache.
  static std::size_t first_above(std::span<const double> score, double edge) {
    const double* base = score.data();
    std::size_t length = score.size();
    while (length > 1) {
      const std::size_t half = length / 2;
      base += base[half - 1] <= edge ? half : 0;
      length -= half;
    }
    return static_cast<std::size_t>(base - score.data()) + (length == 1 && *base <= edge);
  }

  // First h in low .. high for which the predicate holds; high if none below does.
  template <class Predicate>
  static std::size_t first(std::size_t low, std::size_t high, const Predicate& holds) {
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (holds(middle))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

  const Ordered& data_;
  Binning binning_;
  std::size_t b_;
  bool narrow_;
};

// Calls f(bin index, range) for every non-empty bin, ascending.
template <class F>
void for_each_bin(const Ordered& data, Binning binning, std::size_t b, const F& f) {
  const BinWalk walk(data, binning, b);
  for (std::size_t g = 0; g < data.groups();) {
    const GroupRange range = walk.starting(g);
    f(walk.bin_of(g), range);
    g = range.to;
  }
}

}  // namespace tare::numeric
