// Pool adjacent violators: the non-decreasing step function of the score that is closest to
// the labels, for the squared and for every other proper score at once. Ayer et al. 1955.
// Rates are compared as fractions of integers, so equal rates are equal; linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tare/numeric/fixed.hpp"
#include "tare/numeric/order.hpp"

namespace tare::numeric {

// Groups first .. last - 1 of the ordered data, with one rate.
struct PavBlock {
  std::size_t first = 0;
  std::size_t last = 0;
  std::uint64_t mass = 0;
  std::uint64_t hits = 0;

  [[nodiscard]] double rate() const { return static_cast<double>(hits) / static_cast<double>(mass); }
};

// Blocks in ascending order; their rates rise strictly.
inline std::vector<PavBlock> pav(const Ordered& data) {
  std::vector<PavBlock> blocks;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    PavBlock block{g, g + 1, data.mass(g), data.hits(g)};
    // not rising: hits / mass of the block before >= that of this one
    while (!blocks.empty() && static_cast<u128>(blocks.back().hits) * block.mass >=
                                  static_cast<u128>(block.hits) * blocks.back().mass) {
      const PavBlock& before = blocks.back();
      block = {before.first, block.last, before.mass + block.mass, before.hits + block.hits};
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
  return blocks;
}

}  // namespace tare::numeric
