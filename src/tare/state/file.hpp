// A state as bytes, the same on every machine: a header with the low byte first, the group where there is one (version
// 2; older versions of tare read version 1 only), then for each part its own header and columns of numbers of variable
// length, deflated, then a CRC of all that. The reader believes nothing: what it is given may come from anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
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

// Whole numbers as bytes, the low one first: the same on every machine.

// Numbers of 256 bits have no size of their own.
template <class Whole>
constexpr std::size_t bytes_of_number(const Whole&) {
  return sizeof(Whole) > 16 ? 32 : sizeof(Whole);
}

template <class Whole>
void put(const Whole& x, std::string& to) {
  for (std::size_t i = 0; i < bytes_of_number(x); ++i)
    to += static_cast<char>(static_cast<unsigned char>((x >> (8 * i)) & 0xFF));
}

// The number at the front, which goes.
template <class Whole>
void take(Whole& x, std::string_view& from) {
  x = 0;
  for (std::size_t i = bytes_of_number(x); i > 0; --i)
    x = static_cast<Whole>(x << 8 | static_cast<unsigned char>(from[i - 1]));
  from.remove_prefix(bytes_of_number(x));
}

std::uint32_t crc_of(std::string_view bytes);
void seal(std::string& bytes);  // ends them with the CRC of all that is there

}  // namespace tare::detail::state
