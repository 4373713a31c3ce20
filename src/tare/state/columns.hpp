// The cells of a state as columns of whole numbers of variable length, seven bits to a byte, the low ones first.
#pragma once

#include <string>
#include <string_view>

#include "tare/state/cells.hpp"

namespace tare::inner::state {

inline constexpr std::size_t most_cell_bytes = 10 + 3 + 19 + 19 + 19;  // of one cell in all columns

std::string to_columns(const Body& body, std::size_t bins);

// Cells of this step; else what is wrong with them. `body` has the header's step and unit, and gets cells and mass.
// Null: nothing is wrong.
const char* from_columns(std::string_view columns, std::size_t cells, const Shape& shape, Body& body);

}  // namespace tare::inner::state
