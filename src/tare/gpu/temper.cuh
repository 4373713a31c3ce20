// What both kinds of passes over the rows share.
#pragma once

#include "tare/gpu/launch.cuh"
#include "tare/gpu/temper.hpp"
#include "tare/gpu/totals.cuh"

namespace tare::detail::gpu {

constexpr int temperatures = 4, kept = 3;                        // loss, slope, curvature
constexpr int of_four = temperatures * kept + 2, of_one = kept;  // and rows, and rows that are wrong

// The logit of a class of probability 0, where it is the label's: as on the CPU.
__device__ inline float label_of(float z) { return z == -INFINITY ? static_cast<float>(masked_logit) : z; }

// Warps, or blocks, that each write a part.
inline int parts_of(const DeviceRows& rows) {
  const Shape shape = shape_of(rows.n, rows.k);
  return form_of(rows.k) == Form::block ? shape.blocks : shape.blocks * shape.threads / 32;
}

// One pass, and the totals of its parts, `count` of each.
template <class Pass>
void run_pass(const DeviceRows& rows, const Pass& pass, int count, double* totals, Stream stream) {
  if (rows.type == Type::float32)
    launch_work<Float32>(rows, stream, pass);
  else
    launch_work<Float16>(rows, stream, pass);
  add_parts<<<static_cast<unsigned>(count), 256, 0, cuda(stream)>>>(pass.parts, parts_of(rows), count, totals, false);
  check_launch("adding up parts");
}

}  // namespace tare::detail::gpu
