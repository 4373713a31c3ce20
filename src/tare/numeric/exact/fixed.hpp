// Exact sums: numbers become integers once, row by row, and integers add without rounding.
// So row order, threads and splits of the data cannot change a bit of any result.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tare::inner::numeric {

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

// Scores in [0, 1] in units of 2^-46: a mean of scores is off by at most 2^-47 = 7e-15.
// 46 bits leave room to pack count and sum of 511 rows into one 64-bit cell.
inline constexpr int score_bits = 46;
inline constexpr double score_scale = 0x1p46;

// Nearest, ties to even, by adding 2^52: the form that vectorises on every instruction set.
inline std::uint64_t to_fixed(double score) {
  return std::bit_cast<std::uint64_t>(score * score_scale + 0x1p52) & 0xFFFFFFFFFFFFFULL;
}

// Sum of any doubles of moderate size (|x| < 2^40), rounded to 2^-60 each.
class ExactSum {
 public:
  void add(double x) { total_ += static_cast<i128>(std::nearbyint(x * 0x1p60)); }
  void add(double x, double weight) { add(x * weight); }
  void merge(const ExactSum& other) { total_ += other.total_; }
  [[nodiscard]] double value() const { return static_cast<double>(total_) * 0x1p-60; }

  // As an integer, for storing.
  [[nodiscard]] i128 units() const { return total_; }
  static ExactSum of_units(i128 units) {
    ExactSum out;
    out.total_ = units;
    return out;
  }

 private:
  i128 total_ = 0;
};

}  // namespace tare::inner::numeric
