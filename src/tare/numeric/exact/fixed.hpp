// Exact sums: numbers become integers once, row by row, and integers add without rounding.
// So row order, threads and splits of the data cannot change a bit of any result.
// By hand: the compensated sums of libraries still depend on the order in their last bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tare::detail::numeric {

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

// The exact sum of doubles that are each rounded to a multiple of 2^-Bits; it holds totals up to 2^(126 - Bits).
template <int Bits>
class FixedSum {
 public:
  static constexpr double unit = std::bit_cast<double>(static_cast<std::uint64_t>(1023 - Bits) << 52);

  void add(double x) { total_ += static_cast<i128>(std::nearbyint(x * (1 / unit))); }
  void add(double x, double weight) { add(x * weight); }

  // The same, less exact for the usual row (to 4 units, for |x| < 2^(64 - Bits)), where it needs no call of a library:
  // in a pass over logits that is a fifth of the time.
  void add_quickly(double x, double weight = 1) {
    if (weight == 1 && std::abs(x) < 0x1p64 * unit)
      total_ += static_cast<i128>(static_cast<std::int64_t>(x * (0.25 / unit))) * 4;
    else
      add(x, weight);
  }

  // A row of a whole mass counts as so many rows of mass 1. Small: |x| <= 2^(62 - Bits), again without a call.
  void add_mass(double x, std::int64_t mass) { total_ += static_cast<i128>(std::nearbyint(x * (1 / unit))) * mass; }
  void add_small_mass(double x, std::int64_t mass) {
    total_ += static_cast<i128>(static_cast<std::int64_t>(x * (1 / unit) + std::copysign(0.5, x))) * mass;
  }

  void merge(const FixedSum& other) { total_ += other.total_; }
  [[nodiscard]] double value() const { return static_cast<double>(total_) * unit; }

  // As an integer, for storing and for numbers that are integers already.
  [[nodiscard]] i128 units() const { return total_; }
  void add_units(i128 units) { total_ += units; }
  static FixedSum of_units(i128 units) {
    FixedSum out;
    out.total_ = units;
    return out;
  }

 private:
  i128 total_ = 0;
};

// Of any doubles of moderate size: |x| < 2^40.
using ExactSum = FixedSum<60>;

}  // namespace tare::detail::numeric
