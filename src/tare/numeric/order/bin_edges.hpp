// Where bins begin, for very many numbers of bins of the same data: a table over [0, 1] leaves few groups to search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tare/numeric/order/bin_walk.hpp"

namespace tare::inner::numeric {

class BinEdges {
 public:
  BinEdges(const Ordered& data, Binning binning);  // the data must outlive it

  // As boundary(data, binning, j, b), for j = 0 .. b.
  [[nodiscard]] std::size_t operator()(std::size_t j, std::size_t b) const;

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

}  // namespace tare::inner::numeric
