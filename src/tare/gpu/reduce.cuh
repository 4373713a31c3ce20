// Both kinds of rows, reduced.
#pragma once

#include "tare/gpu/reduce.hpp"
#include "tare/gpu/rows.cuh"

namespace tare::detail::gpu {

void enqueue_logits(const DeviceRows& rows, const Labels& labels, const Reduced& out, const Faults& faults,
                    Stream stream);

__device__ inline bool bad_label(const LabelSource& label, long long y, int k) {
  return label.data != nullptr &&
         static_cast<unsigned long long>(y) >= static_cast<unsigned long long>(k);  // or below 0
}

template <class Row>
__device__ void mark_skipped(const Reduced& out, long long i) {
  if (out.hit && is_first<Row>()) out.hit[i] = 2;
}

}  // namespace tare::detail::gpu
