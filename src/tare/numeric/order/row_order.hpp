// Rows in an order that their content alone decides: sorted by a seeded hash of what they hold. Work that visits rows
// in this order, or deals them out by it, cannot depend on the order in which they came. Rows that hold the same are
// interchangeable; 0 and -0 are the same, and so are a float32 and the float64 of equal value.
// The hash is by hand: std::hash may change with the compiler, and folds would with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"

namespace tare::detail::numeric {

struct RowContent {
  Reals values;  // whole rows of `columns` numbers
  std::size_t columns = 1;
  std::span<const std::int32_t> mark = {};  // one integer per row, or none
  std::span<const double> weight = {};      // one weight per row; none means all ones
};

// 64 bits per row.
std::vector<std::uint64_t> row_hashes(const RowContent& rows, std::uint64_t seed, int threads = 1);

// The places of the rows, sorted by hash. Rows of equal hash are sorted by what they hold, so that a collision
// does no harm.
std::vector<std::size_t> row_order(const RowContent& rows, std::uint64_t seed, int threads = 1);

}  // namespace tare::detail::numeric
