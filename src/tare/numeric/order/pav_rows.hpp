// Pooled adjacent violators of unsorted rows: see pav_rows.cpp. pav() does the same on groups with running totals,
// which cost more than the pooling.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/numeric/order/pav.hpp"

namespace tare::detail::numeric {

using ScoreBlock = RateBlock<double>;  // scores first .. last

// The blocks of rows without weights, scores in [0, 1].
std::vector<ScoreBlock> pooled_rows(Reals score, std::span<const std::uint8_t> mark, int threads = 1);

}  // namespace tare::detail::numeric
