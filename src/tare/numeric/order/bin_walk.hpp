// The bins of numeric/order/bins.hpp one at a time, skipping empty ones: finding a bin costs a few steps
// whatever the number of bins, which is what sweeps over many bin counts need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tare/numeric/order/bins.hpp"

namespace tare::detail::numeric {

// The groups from .. to-1 of one bin.
struct GroupRange {
  std::size_t from = 0;
  std::size_t to = 0;
};

class BinWalk {
 public:
  BinWalk(const Ordered& data, Binning binning, std::size_t b)
      : data_(data), binning_(binning), b_(b), narrow_(products_are_narrow(data, b)) {}

  // The bin that holds group g.
  [[nodiscard]] GroupRange around(std::size_t g) const {
    const std::size_t j = bin_of(g);
    if (data_.groups() / b_ >= 16) return {boundary(data_, binning_, j, b_), end_of(g, j)};
    std::size_t from = g;
    for (std::size_t step = 1; from > 0 && !before(from - 1, j); step *= 2) {
      const std::size_t probe = from > step ? from - step : 0;
      from = before(probe, j) ? first_that(probe + 1, from, [&](std::size_t h) { return !before(h, j); }) : probe;
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
  [[nodiscard]] std::uint64_t twice_middle(std::size_t g) const {
    return twice_middle_rank(data_.mass_before(g), data_.mass_before(g + 1));
  }

  [[nodiscard]] bool before(std::size_t g, std::size_t j) const {  // bin_of(g) < j, without dividing
    if (binning_ == Binning::width) return j > 0 && data_.score(g) <= width_edge(j, b_);
    const std::uint64_t m = twice_middle(g);
    if (narrow_) return m * b_ < 2 * data_.total_mass() * j;
    return static_cast<u128>(m) * b_ < static_cast<u128>(2) * data_.total_mass() * j;
  }

  // First group after g outside bin j: doubling steps, then bisection; large bins by bisection alone.
  [[nodiscard]] std::size_t end_of(std::size_t g, std::size_t j) const {
    const std::size_t groups = data_.groups();
    if (j + 1 >= b_) return groups;
    if (groups / b_ >= 16) return boundary(data_, binning_, j + 1, b_, g);
    std::size_t low = g + 1, step = 1;  // everything below low is inside
    while (low + step <= groups && before(low + step - 1, j + 1)) {
      low += step;
      step *= 2;
    }
    return first_that(low, std::min(low + step - 1, groups), [&](std::size_t h) { return !before(h, j + 1); });
  }

  const Ordered& data_;
  Binning binning_;
  std::size_t b_;
  bool narrow_;
};

// Calls f(bin index, range) for every non-empty bin, ascending.
template <class F>
void for_each_bin(const Ordered& data, Binning binning, std::size_t b, const F& f) {
  if (b <= 64 || data.groups() / b >= 16) {  // few or large bins: from edge to edge
    std::size_t from = 0;
    for (std::size_t j = 0; j < b && from < data.groups(); ++j) {
      const std::size_t to = boundary(data, binning, j + 1, b, from);
      if (to == from) continue;
      f(j, GroupRange{from, to});
      from = to;
    }
    return;
  }
  const BinWalk walk(data, binning, b);
  for (std::size_t g = 0; g < data.groups();) {
    const GroupRange range = walk.starting(g);
    f(walk.bin_of(g), range);
    g = range.to;
  }
}

}  // namespace tare::detail::numeric
