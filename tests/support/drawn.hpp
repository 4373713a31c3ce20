// Samples that tests/golden/rank_poly_reference.py draws too, bit for bit: only operations that every machine rounds
// alike.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "support/data.hpp"

namespace tare::detail::testing {

// Steele, Lea and Flood 2014.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  double uniform() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

inline double score_of(const std::string& kind, double u, double w) {
  double u8 = u * u * (u * u);
  u8 = u8 * u8;
  if (kind == "uniform") return u;
  if (kind == "grid") return std::floor(u * 20) / 20;
  if (kind == "cents") return std::floor(u * 100) / 100;
  if (kind == "piled") return 1 - u8;
  if (kind == "saturated") return static_cast<double>(static_cast<float>(1 - u8 * u8));
  if (kind == "certain") return u < 0.5 ? 0 : 1;
  if (kind == "half") return w < 0.5 ? 1 : u;
  if (kind == "nearly") return w < 0.95 ? 1 - u * 0x1p-21 : u;
  if (kind == "ones") return 1;
  if (kind == "five") return 0.1 + 0.2 * std::floor(u * 5);
  return 0.7;
}

inline Rows drawn(const std::string& kind, std::size_t n, std::uint64_t seed) {
  SplitMix rng(seed);
  Rows out;
  for (std::size_t i = 0; i < n; ++i) {
    const double u = rng.uniform(), v = rng.uniform(), w = rng.uniform();
    const double s = score_of(kind, u, w);
    out.score.push_back(s);
    out.label.push_back(v < (kind == "ones" ? 0.98 : s * s + 0.1 * (1 - s)));
  }
  return out;
}

}  // namespace tare::detail::testing
