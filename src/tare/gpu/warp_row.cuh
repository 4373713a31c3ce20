// 129 to 1024 classes: a warp has a row, in registers.
#pragma once

#include <climits>

#include "tare/gpu/merge.cuh"
#include "tare/gpu/pack.cuh"

namespace tare::detail::gpu {

constexpr int most_warp_classes = 1024;

template <class E>
class WarpRow {
 public:
  static constexpr int width = 32;  // threads that share a row
  static constexpr int chunks = most_warp_classes / E::count / 32;

  __device__ WarpRow(const Source& s, const Byte* row) : row_(row), brain_(s.brain) {
    const int lane = static_cast<int>(threadIdx.x & 31U);
    if (s.aligned) {
      const auto* packs = reinterpret_cast<const uint4*>(row);
      const int count = s.k / E::count;
      first_ = lane * E::count;
#pragma unroll
      for (int c = 0; c < chunks; ++c) pack_[c] = c * 32 + lane < count ? __ldcs(packs + c * 32 + lane) : all_fill(s);
      extra_ = false;
    } else {
      first_ = lane * E::count - lead_of<E>(row);
#pragma unroll
      for (int c = 0; c < chunks; ++c) pack_[c] = edge_pack<E>(s, row, first_ + c * 32 * E::count);
      // a row that is not aligned reaches into one pack more
      const int rest = chunks * 32 * E::count - lead_of<E>(row);  // numbers that have found room
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
      float v[E::count];
      E::unpack(pack_[c], brain_, v);
      g(v, first_ + c * 32 * E::count, c);
    }
    if (extra_) {  // fewer than a pack: one number for each of the first threads
      const float v[1] = {more_};
      g(v, chunks * 32 * E::count - lead_of<E>(row_) + static_cast<int>(threadIdx.x & 31U), chunks);
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
  __device__ float max(float v) const { return warp_max(v); }
  template <class T>
  __device__ T sum(T v) const {
    return warp_sum(v);
  }
  __device__ int least(int v) const { return warp_least(v); }
  __device__ float at(long long j) const { return E::one(row_ + j * E::size, brain_); }

 private:
  __device__ static float filled(const Source& s) {
    float v[E::count];
    E::unpack(all_fill(s), s.brain, v);
    return v[0];
  }

  const Byte* row_;
  bool brain_;
  bool extra_;
  int first_;
  float more_ = 0;
  uint4 pack_[chunks];
};

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

// More than 1024 classes: a block has a row, and reads it again for every for_each.

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
  __device__ const Source& source() const { return s_; }
  __device__ BlockRoom& room() const { return room_; }

 private:
  const Source& s_;
  const Byte* row_;
  BlockRoom& room_;
};

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

}  // namespace tare::detail::gpu
