// Equal-width sums straight from rows, by vector instructions: see width_rows.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/numeric/order/bins.hpp"

namespace tare::inner::numeric {

// Whether fast_width_bins can do this number of bins exactly.
bool has_fast_width_bins(std::size_t b);
std::vector<BinSums> fast_width_bins(Reals score, std::span<const std::uint8_t> mark, std::size_t b, int threads);

}  // namespace tare::inner::numeric
