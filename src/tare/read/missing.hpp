// Rows with missing values: NaN, or a cell that is empty.
#pragma once

#include "tare/read/assemble.hpp"

namespace tare::detail::read {

// Leaves them out of every array; how many they were.
Result<std::size_t> drop_missing(Parts& parts);

// Where no row is left.
Error no_row_left(const std::string& source);

// Only these rows, of every array.
void keep_rows(Parts& parts, const std::vector<std::size_t>& rows);

}  // namespace tare::detail::read
