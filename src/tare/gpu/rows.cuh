// Rows of numbers as kernels see them. Memory is read 16 bytes at a time whatever the alignment of the rows: a row is
// a run of aligned packs whose ends may belong to its neighbours, and what is not of the row counts as `fill`.
//
// Three shapes of work, by the number of classes. Each has for_each(f), which calls f(value, index, slot) for this
// thread's numbers of the row (slot is a constant below 4, for sums that do not wait for each other), and max, sum and
// least over the threads of the row, in a fixed order.
//   LaneRow   k <= 128: 32 rows of a warp go through shared memory, then a thread has a row
//   GroupRow  k <= 1024: a warp, or four threads of it, have a row, in registers
//   BlockRow  beyond: a block has a row, and reads it again for every for_each
#pragma once

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "tare/gpu/check.cuh"

namespace tare::inner::gpu {

using Byte = unsigned char;

struct Source {
  const Byte* data;
  const Byte* end;  // of the last row
  long long n;
  int k;
  long long stride;    // in bytes
  bool brain;          // 16-bit numbers are bfloat16
  bool aligned;        // every row begins and ends with a pack
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

// Over so many neighbours of a warp.
template <int lanes>
__device__ float group_max(float v) {
#pragma unroll
  for (int o = lanes / 2; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(~0U, v, o));
  return v;
}
template <int lanes, class T>
__device__ T group_sum(T v) {
#pragma unroll
  for (int o = lanes / 2; o > 0; o >>= 1) v += __shfl_xor_sync(~0U, v, o);
  return v;
}
template <int lanes>
__device__ int group_least(int v) {
  if constexpr (lanes == 32) {
    return __reduce_min_sync(~0U, v);
  } else {
#pragma unroll
    for (int o = lanes / 2; o > 0; o >>= 1) v = min(v, __shfl_xor_sync(~0U, v, o));
    return v;
  }
}
__device__ inline float warp_max(float v) { return group_max<32>(v); }
template <class T>
__device__ T warp_sum(T v) {
  return group_sum<32>(v);
}
__device__ inline int warp_least(int v) { return group_least<32>(v); }

constexpr int most_lane_classes = 128, most_warp_classes = 1024, lane_threads = 128, warp_threads = 256,
              block_threads = 512;

template <class E>
class LaneRow {
 public:
  static constexpr int width = 1;  // threads that share a row
  __device__ LaneRow(const Source& s, const float* values) : k_(s.k), values_(values) {}

  template <class F>
  __device__ void for_each(const F& f) const {
    int j = 0;
    for (; j + 4 <= k_; j += 4) {
      f(values_[j], j, std::integral_constant<int, 0>());
      f(values_[j + 1], j + 1, std::integral_constant<int, 1>());
      f(values_[j + 2], j + 2, std::integral_constant<int, 2>());
      f(values_[j + 3], j + 3, std::integral_constant<int, 3>());
    }
    for (; j < k_; ++j) f(values_[j], j, std::integral_constant<int, 0>());
  }
  __device__ float max(float v) const { return v; }
  template <class T>
  __device__ T sum(T v) const {
    return v;
  }
  __device__ int least(int v) const { return v; }
  __device__ float at(long long j) const { return values_[j]; }

 private:
  int k_;
  const float* values_;
};

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

// `lanes` threads of a warp have a row of up to `most` numbers, in registers.
template <class E, int lanes, int most>
class GroupRow {
 public:
  static constexpr int width = lanes;
  static constexpr int chunks = most / E::count / lanes;

  __device__ GroupRow(const Source& s, const Byte* row) : row_(row), k_(s.k), brain_(s.brain) {
    const int lane = static_cast<int>(threadIdx.x % lanes);
    if (s.aligned) {
      const auto* packs = reinterpret_cast<const uint4*>(row);
      const int count = s.k / E::count;
      first_ = lane * E::count;
#pragma unroll
      for (int c = 0; c < chunks; ++c)
        pack_[c] = c * lanes + lane < count ? __ldcs(packs + c * lanes + lane) : all_fill(s);
      extra_ = false;
    } else {
      first_ = lane * E::count - lead_of<E>(row);
#pragma unroll
      for (int c = 0; c < chunks; ++c) pack_[c] = edge_pack<E>(s, row, first_ + c * lanes * E::count);
      // a row that is not aligned reaches into one pack more
      const int rest = chunks * lanes * E::count - lead_of<E>(row);  // numbers that have found room
      extra_ = rest < s.k;
      if (extra_)
        more_ = rest + lane < s.k ? E::one(row + static_cast<long long>(rest + lane) * E::size, brain_) : filled(s);
    }
  }

  // Calls g(numbers, index of the first of them, number of the pack) for every pack.
  template <class G>
  __device__ void for_packs(const G& g) const {
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      if (lanes < 32 && c * lanes * E::count >= k_) continue;  // for all threads alike; such rows are aligned
      float v[E::count];
      E::unpack(pack_[c], brain_, v);
      g(v, first_ + c * lanes * E::count, c);
    }
    if (extra_) {  // fewer than a pack: one number for each of the first threads
      const float v[1] = {more_};
      g(v, chunks * lanes * E::count - lead_of<E>(row_) + static_cast<int>(threadIdx.x % lanes), chunks);
    }
  }
  template <class G>
  __device__ void for_values(const G& g) const {
    for_packs([&](const auto& v, int first, int) { g(v, first); });
  }
  template <class F>
  __device__ void for_each(const F& f) const {
    for_values([&](const auto& v, int first) { for_pack(v, first, f); });
  }
  __device__ float max(float v) const { return group_max<lanes>(v); }
  template <class T>
  __device__ T sum(T v) const {
    return group_sum<lanes>(v);
  }
  __device__ int least(int v) const { return group_least<lanes>(v); }
  __device__ float at(long long j) const { return E::one(row_ + j * E::size, brain_); }

 private:
  __device__ static float filled(const Source& s) {
    float v[E::count];
    E::unpack(all_fill(s), s.brain, v);
    return v[0];
  }

  const Byte* row_;
  int k_;
  bool brain_;
  bool extra_;
  int first_;
  float more_ = 0;
  uint4 pack_[chunks];
};

template <class E>
using WarpRow = GroupRow<E, 32, most_warp_classes>;

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

template <class E>
class BlockRow {
 public:
  static constexpr int width = block_threads, threads = block_threads, ahead = 4;
  __device__ BlockRow(const Source& s, const Byte* row, BlockRoom& room) : s_(s), row_(row), room_(room) {}

  // Calls g(packs, index of the first number, limit) with `ahead` packs, block_threads packs apart; those that begin at
  // the limit or beyond hold nothing but fill. All threads call it as often.
  template <class G>
  __device__ void for_packs(const G& g) const {
    const int lead = lead_of<E>(row_), mine = static_cast<int>(threadIdx.x);
    const int whole = (s_.k + lead) / E::count;  // packs that end inside the row; the first one may begin before it
    const auto* packs = reinterpret_cast<const uint4*>(row_ - lead * E::size);
    int i = lead > 0 ? 1 : 0;
    uint4 pack[ahead];
    for (; i + ahead * threads <= whole; i += ahead * threads) {
#pragma unroll
      for (int u = 0; u < ahead; ++u) pack[u] = __ldcs(packs + i + mine + u * threads);
      g(pack, (i + mine) * E::count - lead, INT_MAX);
    }
    if (i < whole) {
#pragma unroll
      for (int u = 0; u < ahead; ++u)
        pack[u] = i + mine + u * threads < whole ? __ldcs(packs + i + mine + u * threads) : all_fill(s_);
      g(pack, (i + mine) * E::count - lead, whole * E::count - lead);
    }
    if (lead == 0 && whole * E::count == s_.k) return;
#pragma unroll
    for (int u = 0; u < ahead; ++u) pack[u] = all_fill(s_);  // what the row shares with its neighbours
    const int first = (mine == 0 ? 0 : whole) * E::count - lead;
    const bool has = (mine == 0 && lead > 0) || (mine == 1 && first < s_.k);
    if (has) pack[0] = edge_pack<E>(s_, row_, first);
    g(pack, first, has ? first + 1 : INT_MIN);
  }
  template <class G>
  __device__ void for_values(const G& g) const {
    for_packs([&](const uint4(&pack)[ahead], int first, int limit) {
#pragma unroll
      for (int u = 0; u < ahead; ++u) {
        float v[E::count];
        E::unpack(pack[u], s_.brain, v);
        const int at = first + u * threads * E::count;
        g(v, at < limit ? at : s_.k);
      }
    });
  }
  template <class F>
  __device__ void for_each(const F& f) const {
    for_values([&](const auto& v, int first) { for_pack(v, first, f); });
  }
  __device__ float max(float v) const {
    return block_merge(warp_max(v), room_, [](float a, float b) { return fmaxf(a, b); });
  }
  template <class T>
  __device__ T sum(T v) const {
    return block_merge(warp_sum(v), room_, [](T a, T b) { return a + b; });
  }
  __device__ int least(int v) const {
    return block_merge(warp_least(v), room_, [](int a, int b) { return a < b ? a : b; });
  }
  __device__ float at(long long j) const { return E::one(row_ + j * E::size, s_.brain); }

 private:
  const Source& s_;
  const Byte* row_;
  BlockRoom& room_;
};

// Loads 32 rows into shared memory, in float32, `pitch` apart: odd, so that a column has no two in a bank. What depends
// on k alone is found once: a division takes as long as a row.
template <class E>
class TileLoader {
 public:
  __device__ TileLoader(const Source& s, int pitch) : s_(s), lane_(static_cast<int>(threadIdx.x & 31U)) {
    const int skip_rows = 32 / s.k, row = lane_ / s.k;
    skip_ = 32 - skip_rows * s.k;
    column_ = lane_ - row * s.k;
    // from one number of this thread to the next: so far in the tile and in memory, and more at the end of a row
    step_ = skip_rows * pitch + skip_;
    wrap_ = pitch - s.k;
    far_ = skip_rows * s.stride + skip_ * E::size;
    far_wrap_ = s.stride - static_cast<long long>(s.k) * E::size;
    to_ = row * pitch + column_;
    from_ = row * s.stride + column_ * E::size;
  }
  __device__ void operator()(long long first, float* tile) const {
    const int total = static_cast<int>(s_.n - first < 32 ? s_.n - first : 32) * s_.k;
    int column = column_;
    float* to = tile + to_;
    const Byte* from = s_.row(first) + from_;
    __syncwarp();  // the last tile was read
#pragma unroll 4
    for (int i = lane_; i < total; i += 32) {
      if constexpr (E::size == 4)
        __pipeline_memcpy_async(to, from, 4);
      else
        *to = E::one(from, s_.brain);
      column += skip_;
      to += step_;
      from += far_;
      if (column >= s_.k) {
        column -= s_.k;
        to += wrap_;
        from += far_wrap_;
      }
    }
    if constexpr (E::size == 4) __pipeline_commit();
  }

 private:
  const Source& s_;
  int lane_, skip_, column_, step_, wrap_, to_;
  long long far_, far_wrap_, from_;
};
// The tile before the last `later` is there.
template <class E>
__device__ void wait_for_tile(bool later) {
  if constexpr (E::size == 4) {
    if (later)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(0);
  }
  __syncwarp();
}
// Where tiles are small, there are two: the next one is under way while a warp works on this one.
__host__ __device__ inline int tiles_of(int k) { return k <= 32 ? 2 : 1; }

__host__ __device__ inline int pitch_of(int k) { return k | 1; }

// Calls body(row number, row) for every row of the array whose label is not the one to ignore, and skipped(row) for the
// others. Which thread sees which row depends on n and k alone, so sums come out the same on every device.
template <class E, class Body, class Skipped>
__device__ void for_lane_rows(const Source& s, const LabelSource& label, const Body& body, const Skipped& skipped) {
  extern __shared__ float tiles[];
  const int pitch = pitch_of(s.k), warp = static_cast<int>(threadIdx.x >> 5U), size = 32 * pitch, count = tiles_of(s.k);
  float* mine = tiles + warp * size * count;
  const TileLoader<E> load(s, pitch);
  const long long lane = threadIdx.x & 31U, step = static_cast<long long>(gridDim.x) * lane_threads;
  long long first = (static_cast<long long>(blockIdx.x) * (lane_threads / 32) + warp) * 32;
  if (count == 2 && first < s.n) load(first, mine);
  for (int turn = 0; first < s.n; first += step, turn ^= count - 1) {
    const long long i = first + lane, y = i < s.n ? label(i) : 0;
    const bool more = count == 2 && first + step < s.n;
    if (count == 1) load(first, mine);
    if (more) load(first + step, mine + (turn ^ 1) * size);
    wait_for_tile<E>(more);
    if (i >= s.n) continue;
    if (label.data != nullptr && y == label.ignored)
      skipped(i);
    else
      body(i, y, LaneRow<E>(s, mine + turn * size + lane * pitch));
  }
}
// A warp has `run` rows in a row.
template <class E, class Body, class Skipped>
__device__ void for_warp_rows(const Source& s, const LabelSource& label, const Body& body, const Skipped& skipped) {
  const long long warps = static_cast<long long>(gridDim.x) * (warp_threads / 32);
  const long long run = s.n >= 32 * warps ? 32 : 1;
  for (long long from = (static_cast<long long>(blockIdx.x) * (warp_threads / 32) + (threadIdx.x >> 5U)) * run;
       from < s.n; from += warps * run)
    for (long long i = from; i < s.n && i < from + run; ++i) {
      const long long y = label(i);
      if (label.data != nullptr && y == label.ignored)
        skipped(i);
      else
        body(i, y, WarpRow<E>(s, s.row(i)));
    }
}
// Four threads a row, eight rows a warp at a time, for aligned rows of 33 to 128 numbers. Calls body(which of four
// times this is, row), then finish(number of the row that this thread is to finish): one of the 32 that the warp has
// done. A thread is to finish the row of its group that was done the (threadIdx.x % 4)th time.
template <class E>
using QuarterRow = GroupRow<E, 4, most_lane_classes>;
template <class E, class Body, class Finish>
__device__ void for_quarter_rows(const Source& s, const Body& body, const Finish& finish) {
  const long long group = (threadIdx.x & 31U) / 4, mine = threadIdx.x % 4;
  const long long step = static_cast<long long>(gridDim.x) * warp_threads;
  for (long long from = static_cast<long long>(blockIdx.x) * warp_threads + (threadIdx.x & ~31U); from < s.n;
       from += step) {
    for (int t = 0; t < 4; ++t) {
      const long long i = from + t * 8 + group;
      body(t, QuarterRow<E>(s, s.row(i < s.n ? i : s.n - 1)));
    }
    if (from + mine * 8 + group < s.n) finish(from + mine * 8 + group);
  }
}
template <class E, class Body, class Skipped>
__device__ void for_block_rows(const Source& s, const LabelSource& label, const Body& body, const Skipped& skipped) {
  __shared__ BlockRoom room;
  for (long long i = blockIdx.x; i < s.n; i += gridDim.x) {
    const long long y = label(i);
    if (label.data != nullptr && y == label.ignored)
      skipped(i);
    else
      body(i, y, BlockRow<E>(s, s.row(i), room));
  }
}

// Does this thread write what its row has come to?
template <class Row>
__device__ bool is_first() {
  return threadIdx.x % static_cast<unsigned>(Row::width) == 0;
}

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
