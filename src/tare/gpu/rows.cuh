// Rows of numbers as kernels see them. Memory is read 16 bytes at a time whatever the alignment of the rows: a row is
// a run of aligned packs whose ends may belong to its neighbours, and what is not of the row counts as `fill`.
//
// Three shapes of work, by the number of classes. Each has for_each(f), which calls f(value, index, slot) for this
// thread's numbers of the row (slot is a constant below 4, for sums that do not wait for each other), and max, sum and
// least over the threads of the row, in a fixed order.
//   LaneRow   k <= 128: 32 rows of a warp go through shared memory, then a thread has a row
//   WarpRow   k <= 1024: a warp has a row, in registers
//   BlockRow  beyond: a block has a row, and reads it again for every for_each
#pragma once

#include "tare/gpu/lane_row.cuh"
#include "tare/gpu/merge.cuh"
#include "tare/gpu/warp_row.cuh"

namespace tare::detail::gpu {

// Does this thread write what its row has come to?
template <class Row>
__device__ bool is_first() {
  return threadIdx.x % static_cast<unsigned>(Row::width) == 0;
}

// One kernel for each shape. A `Work` has a source s, labels, and a Worker<Row>: what one thread keeps, made of the
// work, with row(number, label, row) for rows that count, skipped(number) for the others, and finish() at the end.
template <class Work, class Row>
using WorkerOf = typename Work::template Worker<Row>;

template <class Work, class E>
__global__ void __launch_bounds__(lane_threads, Work::lane_blocks(E::size))
    by_lanes(const __grid_constant__ Work work) {
  WorkerOf<Work, LaneRow> worker(work);
  for_lane_rows<E>(
      work.s, work.label, [&](long long i, long long y, const LaneRow& row) { worker.row(i, y, row); },
      [&](long long i) { worker.skipped(i); });
  worker.finish();
}
template <class Work, class E>
__global__ void __launch_bounds__(warp_threads, Work::warp_blocks(E::size))
    by_warps(const __grid_constant__ Work work) {
  WorkerOf<Work, WarpRow<E>> worker(work);
  for_warp_rows<E>(
      work.s, work.label, [&](long long i, long long y, const WarpRow<E>& row) { worker.row(i, y, row); },
      [&](long long i) { worker.skipped(i); });
  worker.finish();
}
template <class Work, class E>
__global__ void __launch_bounds__(block_threads, Work::block_blocks) by_blocks(const __grid_constant__ Work work) {
  WorkerOf<Work, BlockRow<E>> worker(work);
  for_block_rows<E>(
      work.s, work.label, [&](long long i, long long y, const BlockRow<E>& row) { worker.row(i, y, row); },
      [&](long long i) { worker.skipped(i); });
  worker.finish();
}

// Each warp adds up its rows, or each block where a block has a row: which of them this is.
template <class Row>
__device__ long long part_number() {
  if constexpr (Row::width == block_threads)
    return blockIdx.x;
  else
    return (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) >> 5U;
}

}  // namespace tare::detail::gpu
