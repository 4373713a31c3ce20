// Exponentials, logarithms and sums that have the same bits on every machine, for what a fitted map computes:
// additions, products, quotients and bits of IEEE 754 in an order that is written down, no function of the C library,
// nothing fused but exact products. The body is plain C++17 in a file of its own, because `tare export` writes it into
// headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace tare::detail::numeric::strict {

#include "tare/numeric/strict/scalar.inl"
// after it
#include "tare/numeric/strict/functions.inl"

}  // namespace tare::detail::numeric::strict
