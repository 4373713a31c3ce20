// At most 128 classes: 32 rows of a warp go through shared memory, in float32, then a thread has a row.
#pragma once

#include <cuda_pipeline.h>

#include <climits>
#include <type_traits>
#include <utility>

#include "tare/gpu/merge.cuh"
#include "tare/gpu/pack.cuh"

namespace tare::detail::gpu {

constexpr int most_lane_classes = 128;

// From one row of a tile to the next, in numbers. Threads read 1, 2 or 4 numbers at once, the most that divide k: with
// an odd number of such pieces from row to row no two threads want the same bank.
__host__ __device__ inline int pitch_of(int k) { return k % 8 == 0 ? k + 4 : k; }

// A row of few classes, whose number the compiler knows, in registers: a loop would cost as much as its work.
template <int k>
class FewRow {
 public:
  static constexpr int width = 1;  // threads that share a row
  __device__ explicit FewRow(const float* values) {
    using Piece = std::conditional_t<k % 4 == 0, float4, std::conditional_t<k % 2 == 0, float2, float>>;
    constexpr int count = static_cast<int>(sizeof(Piece) / sizeof(float));
#pragma unroll
    for (int j = 0; j < k; j += count) {
      const Piece piece = *reinterpret_cast<const Piece*>(values + j);
#pragma unroll
      for (int i = 0; i < count; ++i) value_[j + i] = reinterpret_cast<const float*>(&piece)[i];
    }
  }
  template <class F>
  __device__ void for_each(const F& f) const {
    each(f, std::make_integer_sequence<int, k>());
  }
  __device__ float max(float v) const { return v; }
  template <class T>
  __device__ T sum(T v) const {
    return v;
  }
  __device__ int least(int v) const { return v; }

 private:
  template <class F, int... j>
  __device__ void each(const F& f, std::integer_sequence<int, j...>) const {
    (f(value_[j], j, std::integral_constant<int, j % 4>()), ...);
  }

  float value_[k];
};

class LaneRow {
 public:
  static constexpr int width = 1;  // threads that share a row
  __device__ LaneRow(int k, float* values) : k_(k), values_(values) {}

  template <class F>
  __device__ void for_each(const F& f) const {
    by_size<false>(f);
  }
  // f changes its first argument.
  template <class F>
  __device__ void change_each(const F& f) const {
    by_size<true>(f);
  }
  // f(this row), as a FewRow if it is one.
  template <class F>
  __device__ auto unrolled(const F& f) const {
    switch (k_) {
      case 2:
        return f(FewRow<2>(values_));
      case 3:
        return f(FewRow<3>(values_));
      case 4:
        return f(FewRow<4>(values_));
      case 5:
        return f(FewRow<5>(values_));
      case 6:
        return f(FewRow<6>(values_));
      case 7:
        return f(FewRow<7>(values_));
      case 8:
        return f(FewRow<8>(values_));
      case 9:
        return f(FewRow<9>(values_));
      case 10:
        return f(FewRow<10>(values_));
      default:
        return f(*this);
    }
  }
  __device__ float max(float v) const { return v; }
  template <class T>
  __device__ T sum(T v) const {
    return v;
  }
  __device__ int least(int v) const { return v; }
  __device__ float at(long long j) const { return values_[j]; }

 private:
  template <bool change, class F>
  __device__ void by_size(const F& f) const {
    if (k_ % 4 == 0)
      by<float4, change>(f);
    else if (k_ % 2 == 0)
      by<float2, change>(f);
    else
      by<float, change>(f);
  }
  template <class Piece, bool change, class F>
  __device__ void by(const F& f) const {
    constexpr int count = static_cast<int>(sizeof(Piece) / sizeof(float));
#pragma unroll 4
    for (int j = 0; j < k_; j += count) {
      Piece piece = *reinterpret_cast<const Piece*>(values_ + j);
      float* v = reinterpret_cast<float*>(&piece);
      f(v[0], j, std::integral_constant<int, 0>());
      if constexpr (count > 1) f(v[1], j + 1, std::integral_constant<int, 1>());
      if constexpr (count > 2) {
        f(v[2], j + 2, std::integral_constant<int, 2>());
        f(v[3], j + 3, std::integral_constant<int, 3>());
      }
      if constexpr (change) *reinterpret_cast<Piece*>(values_ + j) = piece;
    }
  }

  int k_;
  float* values_;
};

// N numbers on their way to shared memory. Float32 goes there by itself, the others through registers.
template <class E, int N>
struct Copied {
  const Byte* from;
  bool brain;
  uint4 pack = {};
  float number = 0;

  __device__ Copied(const Byte* given, bool is_brain) : from(given), brain(is_brain) {
    if constexpr (E::size == 2 && N == 1) number = E::one(from, brain);
    if constexpr (E::size == 2 && N > 1) pack = __ldcs(reinterpret_cast<const uint4*>(from));
  }
  __device__ void put(float* to) const {
    if constexpr (E::size == 4) {
      __pipeline_memcpy_async(to, from, 4 * N);
    } else if constexpr (N == 1) {
      *to = number;
    } else {
      float v[E::count];
      E::unpack(pack, brain, v);
      reinterpret_cast<float4*>(to)[0] = {v[0], v[1], v[2], v[3]};
      reinterpret_cast<float4*>(to)[1] = {v[4], v[5], v[6], v[7]};
    }
  }
};

// So many numbers that are side by side in memory and in the tile, from the beginning of a pack on.
template <class E>
__device__ void copy_flat(const Byte* from, bool brain, int numbers, float* tile) {
  const int lane = static_cast<int>(threadIdx.x & 31U), packs = numbers / E::count;
  const Byte* mine = from + lane * 16;
  float* to = tile + lane * E::count;
  int i = lane;
  if constexpr (E::size == 2) {
    for (; i + 96 < packs; i += 128, mine += 4 * 512, to += 128 * E::count) {  // four on their way at once
      const Copied<E, E::count> a(mine, brain), b(mine + 512, brain), c(mine + 1024, brain), d(mine + 1536, brain);
      a.put(to);
      b.put(to + 32 * E::count);
      c.put(to + 64 * E::count);
      d.put(to + 96 * E::count);
    }
  }
#pragma unroll 4
  for (; i < packs; i += 32, mine += 512, to += 32 * E::count) Copied<E, E::count>(mine, brain).put(to);
  const int at = packs * E::count + lane;
  if (at < numbers) Copied<E, 1>(from + static_cast<long long>(at) * E::size, brain).put(tile + at);
}

// Rows one by one, in units of N numbers.
template <class E, int N>
__device__ void copy_rows(const Source& s, const Byte* from, int rows, float* tile) {
  const int lane = static_cast<int>(threadIdx.x & 31U), units = s.k / N, pitch = pitch_of(s.k);
  const int skip_rows = 32 / units, skip = 32 - skip_rows * units, row = lane / units;
  // from one unit of this thread to the next: so far in the tile and in memory, and more at the end of a row
  const int step = skip_rows * pitch + skip * N;
  const long long far = skip_rows * s.stride + skip * N * E::size;
  const long long far_wrap = s.stride - static_cast<long long>(s.k) * E::size;
  int column = lane - row * units;
  float* to = tile + row * pitch + column * N;
  from += row * s.stride + static_cast<long long>(column) * N * E::size;
#pragma unroll 4
  for (int i = lane; i < rows * units; i += 32) {
    Copied<E, N>(from, s.brain).put(to);
    column += skip;
    to += step;
    from += far;
    if (column >= units) {
      column -= units;
      to += pitch - s.k;
      from += far_wrap;
    }
  }
}

// Loads up to 32 rows into shared memory, and waits for them. By packs where rows are side by side, or each begins and
// ends with one; else number by number.
template <class E>
__device__ void load_tile(const Source& s, const Byte* from, int rows, float* tile) {
  __syncwarp();  // the last tile was read
  if (s.side_by_side && pitch_of(s.k) == s.k)
    copy_flat<E>(from, s.brain, rows * s.k, tile);
  else if (s.aligned)
    copy_rows<E, E::count>(s, from, rows, tile);
  else
    copy_rows<E, 1>(s, from, rows, tile);
  if constexpr (E::size == 4) {
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  __syncwarp();
}

// Calls body(row number, label, row) for every row of the array whose label is not the one to ignore, and skipped(row)
// for the others. Which thread sees which row depends on n and k alone, so sums come out the same on every device.
template <class E, class Body, class Skipped>
__device__ void for_lane_rows(const Source& s, const LabelSource& label, const Body& body, const Skipped& skipped) {
  extern __shared__ float4 tiles[];
  const int pitch = pitch_of(s.k), warp = static_cast<int>(threadIdx.x >> 5U);
  float* tile = reinterpret_cast<float*>(tiles) + warp * 32 * pitch;
  const int lane = static_cast<int>(threadIdx.x & 31U);
  const long long step = static_cast<long long>(gridDim.x) * lane_threads;
  long long first = (static_cast<long long>(blockIdx.x) * (lane_threads / 32) + warp) * 32;
  const Byte* from = s.row(first);
  for (; first < s.n; first += step, from += step * s.stride) {
    const int rows = static_cast<int>(s.n - first < 32 ? s.n - first : 32);
    const long long i = first + lane, y = lane < rows ? label(i) : 0;
    load_tile<E>(s, from, rows, tile);
    if (lane >= rows) continue;
    if (label.data != nullptr && y == label.ignored)
      skipped(i);
    else
      body(i, y, LaneRow(s.k, tile + lane * pitch));
  }
}

}  // namespace tare::detail::gpu
