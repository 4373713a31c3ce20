// The groups that a column puts rows into: one for each different value, or ranges of numbers.
#pragma once

#include <cstddef>

#include "tare/core/groups.hpp"
#include "tare/core/result.hpp"
#include "tare/read/array.hpp"

namespace tare::detail::read {

// `bins`: so many ranges of numbers, with about as many rows each; 0, and for words: one group per value. Rows without
// a value are a group of their own. Groups are in the order of their values, whatever that of the rows.
Result<Grouping> grouping(const Array& column, std::size_t rows, int bins);

}  // namespace tare::detail::read
