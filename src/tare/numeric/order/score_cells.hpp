// Fine cells of the score, in its order: what a sort can be spared with.
//
// With q = min(p, 1 - p): cell 0 is q = 0, cell 1 is 0 < q < 2^-24, then 2^10 cells per factor of two, and 2^14 from
// 2^-6 on; above 1/2 the same backwards. 1 - p is exact there. The cells of p = 0 and p = 1, where ties pile up, hold
// nothing else.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tare::detail::numeric::score_cells {

inline constexpr int coarse_shift = 52 - 10, fine_shift = 52 - 14;
inline constexpr double smallest_q = 0x1p-24, fine_q = 0x1p-6;
constexpr std::uint64_t bits_of(double q, int shift) { return std::bit_cast<std::uint64_t>(q) >> shift; }
inline constexpr std::uint64_t coarse_base = bits_of(smallest_q, coarse_shift) - 2;
inline constexpr std::uint64_t fine_base = bits_of(fine_q, fine_shift) - (bits_of(fine_q, coarse_shift) - coarse_base);
inline constexpr std::uint64_t half = bits_of(0.5, fine_shift) - fine_base;
inline constexpr std::size_t last = 2 * half, count = last + 1;

// The cells of n scores.
void find(const float* score, std::size_t n, std::uint32_t* cell);
void find(const double* score, std::size_t n, std::uint32_t* cell);

}  // namespace tare::detail::numeric::score_cells
