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
  const auto rises = [](const PavBlock& a, const PavBlock& b) {
    return static_cast<u128>(a.hits) * b.mass < static_cast<u128>(b.hits) * a.mass;
  };
  const auto join = [](const PavBlock& a, const PavBlock& b) {
    return PavBlock{a.first, b.last, a.mass + b.mass, a.hits + b.hits};
  };
  std::vector<PavBlock> done;
  PavBlock last{0, 1, data.mass(0), data.hits(0)};
  for (std::size_t g = 1; g < data.groups(); ++g) {
    const PavBlock next{g, g + 1, data.mass(g), data.hits(g)};
    if (rises(last, next)) {
      done.push_back(last);
      last = next;
      continue;
    }
    last = join(last, next);
    while (!done.empty() && !rises(done.back(), last)) {
      last = join(done.back(), last);
      done.pop_back();
    }
  }
  done.push_back(last);
  return done;
}

}  // namespace tare::numeric
