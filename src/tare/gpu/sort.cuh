// Keys in ascending order, by CUB. In a file of its own because CUB takes long to compile.
#pragma once

#include "tare/gpu/memory.hpp"

namespace tare::detail::gpu {

constexpr std::size_t most_sorted = std::size_t{1} << 31;  // fewer than that are sorted

// By their lowest `bits` bits.
void sort_keys(Buffer<std::uint32_t>& keys, int bits, Stream stream);

}  // namespace tare::detail::gpu
