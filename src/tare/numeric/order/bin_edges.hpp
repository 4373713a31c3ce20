// Where bins begin, for very many numbers of bins of the same data: a table over [0, 1] leaves few groups to search.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/numeric/order/bin_walk.hpp"

namespace tare::detail::numeric {

class BinEdges {
 public:
  // The data must outlive it.
  BinEdges(const Ordered& data, Binning binning) : data_(data), binning_(binning) {
    const std::size_t parts = std::bit_ceil(2 * data.groups());
    first_.reserve(parts + 1);
    std::size_t from = 0;
    for (std::size_t k = 0; k <= parts; ++k) {
      from = boundary(data, binning, k, parts, from);
      first_.push_back(static_cast<std::uint32_t>(from));
    }
  }

  // As boundary(data, binning, j, b), for j = 0 .. b.
  [[nodiscard]] std::size_t operator()(std::size_t j, std::size_t b) const {
    if (j == 0) return 0;
    if (j >= b) return data_.groups();
    const std::size_t parts = first_.size() - 1, k = j * parts / b;  // j / b lies between k and k + 1 of the parts
    const std::size_t low = first_[k], high = first_[k + 1];
    return low == high ? low : boundary(data_, binning_, j, b, low, high);
  }

  // Calls f(first group, group after the last) for every non-empty one of b bins, ascending.
  template <class F>
  void for_each_bin(std::size_t b, const F& f) const {
    const BinWalk walk(data_, binning_, b);
    for (std::size_t from = 0, j = walk.bin_of(0); from < data_.groups();) {
      const std::size_t to = (*this)(++j, b);
      if (to > from)
        f(from, to);
      else
        j = walk.bin_of(from);  // past all that are empty
      from = to;
    }
  }
  [[nodiscard]] std::size_t groups() const { return data_.groups(); }

 private:
  const Ordered& data_;
  Binning binning_;
  std::vector<std::uint32_t> first_;  // boundary k of as many as there are
};

// Where the non-empty bins of a range of bin counts start, found once. Redrawing labels leaves scores and masses alone,
// so these places serve every redrawing, and a sweep over bin counts becomes a walk over known places.

struct BinCounts {
  std::size_t first = 1, last = 0;
};

class BinStarts {
 public:
  BinStarts(const Ordered& data, std::size_t largest)
      : BinStarts(BinEdges(data, Binning::width), {1, largest}, BinEdges(data, Binning::mass), {1, largest}) {}
  // Ranges whose bins are very many end earlier.
  BinStarts(const BinEdges& width, BinCounts widths, const BinEdges& mass, BinCounts masses)
      : width_(width, widths), mass_(mass, masses) {}

  // First groups of the non-empty bins, and the number of groups at the end; nothing if b is outside the range.
  [[nodiscard]] std::span<const std::uint32_t> of(Binning binning, std::size_t b) const {
    const Table& table = at(binning);
    if (b < table.counts.first || b > table.counts.last) return {};
    const std::size_t i = b - table.counts.first;
    return std::span(table.groups).subspan(table.first[i], table.first[i + 1] - table.first[i]);
  }
  [[nodiscard]] BinCounts counts(Binning binning) const { return at(binning).counts; }

 private:
  struct Table {
    Table(const BinEdges& edges, BinCounts range) : counts{range.first, range.first - 1}, first{0} {
      while (counts.last < range.last && groups.size() < (std::size_t{1} << 22)) {
        edges.for_each_bin(++counts.last,
                           [&](std::size_t from, std::size_t) { groups.push_back(static_cast<std::uint32_t>(from)); });
        groups.push_back(static_cast<std::uint32_t>(edges.groups()));
        first.push_back(groups.size());
      }
    }
    BinCounts counts;
    std::vector<std::uint32_t> groups;
    std::vector<std::size_t> first;  // of each count
  };
  [[nodiscard]] const Table& at(Binning binning) const { return binning == Binning::width ? width_ : mass_; }

  Table width_, mass_;
};

}  // namespace tare::detail::numeric
