// The numbers of a pack one by one.
#pragma once

#include <type_traits>

#include "tare/gpu/source.cuh"

namespace tare::inner::gpu {

// Calls f(value, index, slot). The slot is a constant below 4, for sums that do not wait for each other.
template <int N, class F>
__device__ void for_pack(const float (&v)[N], int first, const F& f) {
  f(v[0], first, std::integral_constant<int, 0>());
  if constexpr (N >= 4) {
    f(v[1], first + 1, std::integral_constant<int, 1>());
    f(v[2], first + 2, std::integral_constant<int, 2>());
    f(v[3], first + 3, std::integral_constant<int, 3>());
  }
  if constexpr (N == 8) {
    f(v[4], first + 4, std::integral_constant<int, 0>());
    f(v[5], first + 5, std::integral_constant<int, 1>());
    f(v[6], first + 6, std::integral_constant<int, 2>());
    f(v[7], first + 7, std::integral_constant<int, 3>());
  }
}

}  // namespace tare::inner::gpu
