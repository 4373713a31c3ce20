// Where the non-empty bins of b = 1 .. B bins start, found once. Redrawing labels leaves scores and masses alone, so
// these places serve every redrawing, and a sweep over bin counts becomes a walk over known places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/numeric/order/bin_walk.hpp"

namespace tare::inner::numeric {

class BinStarts {
 public:
  BinStarts(const Ordered& data, std::size_t largest) {
    for (const Binning binning : {Binning::width, Binning::mass}) {
      Table& table = binning == Binning::width ? width_ : mass_;
      table.first.push_back(0);
      for (std::size_t b = 1; b <= largest; ++b) {
        for_each_bin(data, binning, b, [&](std::size_t, GroupRange r) { table.groups.push_back(r.from); });
        table.groups.push_back(data.groups());
        table.first.push_back(table.groups.size());
      }
    }
  }

  // First groups of the non-empty bins, and the number of groups at the end; nothing if b is too large.
  [[nodiscard]] std::span<const std::size_t> of(Binning binning, std::size_t b) const {
    const Table& table = binning == Binning::width ? width_ : mass_;
    if (b >= table.first.size()) return {};
    return std::span(table.groups).subspan(table.first[b - 1], table.first[b] - table.first[b - 1]);
  }

 private:
  struct Table {
    std::vector<std::size_t> groups;
    std::vector<std::size_t> first;  // of b - 1
  };
  Table width_, mass_;
};

}  // namespace tare::inner::numeric
