// Sums of per-row numbers: every thread adds its rows in order, then one fixed tree. No floating-point atomics.
#pragma once

#include "tare/gpu/rows.cuh"

namespace tare::detail::gpu {

// The sum over the threads of a block, for thread 0. The order is fixed.
template <int threads>
__device__ double block_total(double v) {
  __shared__ double of_warp[threads / 32];
  v = warp_sum(v);
  __syncthreads();
  if ((threadIdx.x & 31U) == 0) of_warp[threadIdx.x >> 5U] = v;
  __syncthreads();
  double out = 0;
  if (threadIdx.x == 0)
    for (int w = 0; w < threads / 32; ++w) out += of_warp[w];
  return out;
}

// to[s] (+)= the sum of parts[p * count + s] over all parts; one block for each s, of 256 threads.
__global__ void add_parts(const double* parts, int number, int count, double* to, bool more);

}  // namespace tare::detail::gpu
