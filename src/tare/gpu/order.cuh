// Sorted keys: the bits of a score, then the hit.
#pragma once

#include "tare/gpu/merge.cuh"
#include "tare/gpu/order.hpp"
#include "tare/numeric/exact/fixed.hpp"

namespace tare::detail::gpu {

using numeric::u128;

constexpr int order_threads = 256, keys_of_thread = 8, keys_of_block = order_threads * keys_of_thread, words = 4;
constexpr std::uint32_t not_counted = 0x7fffffffU;
constexpr int key_bits = 31;

__device__ inline float score_of(std::uint32_t key) { return __uint_as_float(key >> 1U); }
// numeric::to_fixed
__device__ inline std::uint64_t fixed_of(std::uint32_t key) {
  return static_cast<std::uint64_t>(__double_as_longlong(static_cast<double>(score_of(key)) * 0x1p46 + 0x1p52)) &
         0xFFFFFFFFFFFFFULL;
}

}  // namespace tare::detail::gpu
