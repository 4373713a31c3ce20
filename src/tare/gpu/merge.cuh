// Sums, maxima and minima over the threads of a warp or a block, in a fixed order.
#pragma once

#include "tare/gpu/check.cuh"

namespace tare::detail::gpu {

constexpr int lane_threads = 128, warp_threads = 256, block_threads = 512;  // of a block, by the shape of the work

__device__ inline float warp_max(float v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(~0U, v, o));
  return v;
}
template <class T>
__device__ T warp_sum(T v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(~0U, v, o);
  return v;
}
__device__ inline int warp_least(int v) { return __reduce_min_sync(~0U, v); }

// Sums and maxima of a block, in the order of its warps. `room` is shared memory for one number per warp.
struct BlockRoom {
  double number[block_threads / 32];
};

template <class T, class Merge>
__device__ T block_merge(T v, BlockRoom& room, const Merge& merge) {
  static_assert(sizeof(T) <= sizeof(double));
  T* of_warp = reinterpret_cast<T*>(room.number);
  __syncthreads();  // the last one was read
  if ((threadIdx.x & 31U) == 0) of_warp[threadIdx.x >> 5U] = v;
  __syncthreads();
  T out = of_warp[0];
#pragma unroll
  for (int w = 1; w < block_threads / 32; ++w) out = merge(out, of_warp[w]);
  return out;
}

// Exponentials in float32.

__device__ inline float exp2_fast(float x) {
  float out;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(x));
  return out;
}

// exp(z - top) for z <= top, but for one factor, `fix`, that all terms of a row share. The product with log2(e) has
// more than the digits of float32: else all terms of a row would be off the same way.
class Exponent {
 public:
  __device__ explicit Exponent(float top) : shift_(-top * high) {
    fix = 1 - 0.693147181F * fmaf(top, low, fmaf(top, high, shift_));
  }
  __device__ float operator()(float z) const { return exp2_fast(fmaf(z, low, fmaf(z, high, shift_))); }
  float fix;

 private:
  static constexpr float high = 1.44269504F, low = 1.92596299e-8F;
  float shift_;
};

// exp(x) for x <= 0.
__device__ inline float exp_negative(float x) { return exp2_fast(fmaf(x, 1.44269504F, x * 1.92596299e-8F)); }

}  // namespace tare::detail::gpu
