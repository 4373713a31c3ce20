// Equal-mass sums from unsorted rows without sorting them: see mass_rows.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/numeric/order/bins.hpp"

namespace tare::inner::numeric {

// Nothing when sorting all rows would be no slower.
std::optional<std::vector<BinSums>> select_mass_bins(Reals score, std::span<const std::uint8_t> mark, std::size_t b,
                                                     int threads);

}  // namespace tare::inner::numeric
