// A state as bytes, the same on every machine: a header with the low byte first, the group where there is one (version
// 2; older versions of tare read version 1 only), then for each part its own header and columns of numbers of variable
// length, deflated, then a CRC of all that. The reader believes nothing: what it is given may come from anywhere.
#pragma once

#include <string>
#include <string_view>

#include "tare/state/cells.hpp"
#include "tare/state/running.hpp"

namespace tare::detail::state {

inline constexpr std::string_view magic = "TARESTAT";  // what a file begins with

Result<std::string> to_bytes(const Running& state);
Result<Running> from_bytes(std::string_view bytes);

// The cells of a state as columns of whole numbers of variable length, seven bits to a byte, the low ones first.

inline constexpr std::size_t most_cell_bytes = 10 + 3 + 19 + 19 + 19;  // of one cell in all columns

std::string to_columns(const Body& body, std::size_t bins);

// Cells of this step; else what is wrong with them. `body` has the header's step and unit, and gets cells and mass.
// Null: nothing is wrong.
const char* from_columns(std::string_view columns, std::size_t cells, const Shape& shape, Body& body);

}  // namespace tare::detail::state
