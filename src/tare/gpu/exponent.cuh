// Exponentials in float32.
#pragma once

#include "tare/gpu/check.cuh"

namespace tare::inner::gpu {

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

}  // namespace tare::inner::gpu
