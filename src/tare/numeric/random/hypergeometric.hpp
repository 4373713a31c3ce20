// Random hits among rows that are drawn without putting them back: a table of the distribution, for many drawings.
// By hand: Boost.Math has the distribution, and no drawings from it.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

namespace tare::detail::numeric {

class Hypergeometric {
 public:
  // `drawn` of `rows`, of which `hits` are hits. At most 2^41 rows: the table has about 20 standard deviations.
  // Each probability from its neighbour, outwards from the mode, to where the rest is negligible.
  Hypergeometric(std::uint64_t rows, std::uint64_t hits, std::uint64_t drawn) {
    assert(hits <= rows && drawn <= rows);
    constexpr double negligible = 0x1p-70;
    const std::uint64_t misses = rows - hits, least = drawn > misses ? drawn - misses : 0, most = std::min(hits, drawn);
    const auto real = [](std::uint64_t x) { return static_cast<double>(x); };
    // P(k + 1) / P(k)
    const auto rise = [&](std::uint64_t k) {
      return real(hits - k) / real(k + 1) * (real(drawn - k) / real(misses + k + 1 - drawn));
    };
    const auto mode = static_cast<std::uint64_t>((real(drawn) + 1) / (real(rows) + 2) * (real(hits) + 1));
    const std::uint64_t middle = std::clamp(mode, least, most);
    double value = 1;
    for (std::uint64_t k = middle; value > negligible; --k) {
      up_to_.push_back(value);
      low_ = k;
      if (k == least) break;
      value /= rise(k - 1);
    }
    std::reverse(up_to_.begin(), up_to_.end());
    value = 1;
    for (std::uint64_t k = middle; k < most; ++k) {
      value *= rise(k);
      if (!(value > negligible)) break;
      up_to_.push_back(value);
    }
    double total = 0;
    for (double& x : up_to_) x = total += x;
    for (double& x : up_to_) x /= total;
  }

  // The hits that belong to a uniform number in (0, 1).
  [[nodiscard]] std::uint64_t at(double uniform) const {
    const auto found = std::lower_bound(up_to_.begin(), up_to_.end() - 1, uniform);
    return low_ + static_cast<std::uint64_t>(found - up_to_.begin());
  }

 private:
  std::uint64_t low_ = 0;
  std::vector<double> up_to_;  // probability of low_ .. low_ + i
};

}  // namespace tare::detail::numeric
