// The numbers of a pack one by one.
#pragma once

#include <cuda_fp16.h>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "tare/gpu/check.cuh"

namespace tare::detail::gpu {

// Numbers in memory as kernels see them: rows that may begin anywhere, labels, and the three types.

using Byte = unsigned char;

struct Source {
  const Byte* data;
  long long n;
  int k;
  long long stride;    // in bytes
  bool brain;          // 16-bit numbers are bfloat16
  bool aligned;        // every row begins and ends with a pack
  bool side_by_side;   // the first row begins with a pack, and there is nothing between rows
  std::uint32_t fill;  // the bits of what stands for numbers that are not there, twice where they have 16

  __device__ const Byte* row(long long i) const { return data + i * stride; }
};

struct LabelSource {
  const void* data;
  bool wide;
  long long stride;
  long long ignored;

  __device__ long long operator()(long long row) const {
    if (data == nullptr) return -1;
    return wide ? static_cast<const long long*>(data)[row * stride] : static_cast<const int*>(data)[row * stride];
  }
};

struct Float32 {
  static constexpr int size = 4, count = 4;  // bytes, and numbers in a pack
  __device__ static float one(const Byte* p, bool) { return *reinterpret_cast<const float*>(p); }
  __device__ static void unpack(const uint4& w, bool, float (&out)[count]) {
    out[0] = __uint_as_float(w.x);
    out[1] = __uint_as_float(w.y);
    out[2] = __uint_as_float(w.z);
    out[3] = __uint_as_float(w.w);
  }
};

// float16 or bfloat16, as the source says.
struct Float16 {
  static constexpr int size = 2, count = 8;
  __device__ static float widened(std::uint32_t bits, bool brain) {
    return brain ? __uint_as_float(bits << 16) : __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
  }
  __device__ static float one(const Byte* p, bool brain) {
    return widened(*reinterpret_cast<const unsigned short*>(p), brain);
  }
  __device__ static void unpack(const uint4& w, bool brain, float (&out)[count]) {
    const std::uint32_t word[4] = {w.x, w.y, w.z, w.w};
    if (brain) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        out[2 * i] = __uint_as_float(word[i] << 16);
        out[2 * i + 1] = __uint_as_float(word[i] & 0xffff0000U);
      }
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float2 two = __half22float2(*reinterpret_cast<const __half2*>(&word[i]));
        out[2 * i] = two.x;
        out[2 * i + 1] = two.y;
      }
    }
  }
};

// bfloat16 for sure: what is read at the speed of memory has no time to ask.
struct Brain16 {
  static constexpr int size = 2, count = 8;
  __device__ static float one(const Byte* p, bool) { return Float16::one(p, true); }
  __device__ static void unpack(const uint4& w, bool, float (&out)[count]) { Float16::unpack(w, true, out); }
};

__device__ inline uint4 all_fill(const Source& s) { return make_uint4(s.fill, s.fill, s.fill, s.fill); }

// The pack whose first number has the index `first` in the row, where that may be negative, or beyond the end.
template <class E>
__device__ uint4 edge_pack(const Source& s, const Byte* row, int first) {
  if (first >= s.k) return all_fill(s);
  const Byte* p = row + static_cast<long long>(first) * E::size;
  const bool whole = first >= 0 && first + E::count <= s.k;
  if (whole) return __ldcs(reinterpret_cast<const uint4*>(p));
  uint4 out = all_fill(s);
  std::uint32_t* word = &out.x;
#pragma unroll
  for (int j = 0; j < E::count; ++j) {
    if (first + j < 0 || first + j >= s.k) continue;
    if constexpr (E::size == 4) {
      word[j] = *reinterpret_cast<const std::uint32_t*>(p + 4 * j);
    } else {
      const std::uint32_t bits = *reinterpret_cast<const unsigned short*>(p + 2 * j);
      word[j / 2] = j % 2 ? (word[j / 2] & 0xffffU) | bits << 16 : (word[j / 2] & 0xffff0000U) | bits;
    }
  }
  return out;
}

template <class E>
__device__ int lead_of(const Byte* row) {  // numbers between the last boundary of packs and the row
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(row) & 15) / E::size;
}

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

}  // namespace tare::detail::gpu
