#include "tare/numeric/random/hypergeometric.hpp"

#include <algorithm>
#include <cassert>

namespace tare::detail::numeric {

// Each probability from its neighbour, outwards from the mode, to where the rest is negligible.
Hypergeometric::Hypergeometric(std::uint64_t rows, std::uint64_t hits, std::uint64_t drawn) {
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

std::uint64_t Hypergeometric::at(double uniform) const {
  const auto found = std::lower_bound(up_to_.begin(), up_to_.end() - 1, uniform);
  return low_ + static_cast<std::uint64_t>(found - up_to_.begin());
}

}  // namespace tare::detail::numeric
