// Cells of the score for equal-mass bins, and the two passes over rows that count in them and collect from them. Fewer
// than those of score_cells, because each has a sum of scores, too, and all must stay in the second cache.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/order/radix_sort.hpp"

namespace tare::detail::numeric::mass_cells {

// With q = min(p, 1 - p): cell 0 is q = 0, cell 1 is 0 < q < 2^-54 and a little more, cell half_cell
// is q = 1/2; above 1/2 the same backwards. 1 - p is exact there, and at least 2^-53 unless p = 1:
// so the cells of p = 0 and p = 1, where ties pile up, hold nothing else.
inline constexpr int cell_shift = 45;  // keeps 7 bits of the fraction
inline constexpr double smallest_q = 0x1p-54;
inline constexpr std::uint64_t lowest_bits = std::bit_cast<std::uint64_t>(smallest_q) >> cell_shift;
inline constexpr std::uint64_t half_cell = (std::bit_cast<std::uint64_t>(0.5) >> cell_shift) - lowest_bits + 1;
inline constexpr std::uint64_t last_cell = 2 * half_cell;
inline constexpr std::size_t cells = last_cell + 1;

// Even and odd rows go to two copies of a cell, so that neighbours in one cell do not wait for
// each other. A copy is two words: the scores, modulo 2^64, and rows + 2^32 * hits.
inline constexpr std::size_t words_per_cell = 4;

void count_in_cells(std::span<const float> score, const std::uint8_t* mark, std::uint64_t* total);
void count_in_cells(std::span<const double> score, const std::uint8_t* mark, std::uint64_t* total);

// The keys of the rows whose cells are wanted.
void collect_wanted(std::span<const float> score, const std::uint8_t* mark, const std::uint8_t* wanted,
                    std::vector<std::uint32_t>& out);
void collect_wanted(std::span<const double> score, const std::uint8_t* mark, const std::uint8_t* wanted,
                    std::vector<std::uint64_t>& out);

}  // namespace tare::detail::numeric::mass_cells
