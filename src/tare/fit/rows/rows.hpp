// What a fitted map does to one row: the arithmetic of `tare apply`, row by row and in an order that is written down,
// so that its bits are the same on every machine. The body is plain C++17 in a file of its own, because `tare export`
// writes it into headers.
#pragma once

#include <cstddef>
#include <limits>

#include "tare/numeric/strict/strict.hpp"

namespace tare::detail::fit::rows {

using namespace numeric::strict;

#include "tare/fit/rows/numbers.inl"
#include "tare/fit/rows/rows.inl"

}  // namespace tare::detail::fit::rows
