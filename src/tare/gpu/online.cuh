// A row that is read only once, by a block.
#pragma once

#include "tare/gpu/rows.cuh"

namespace tare::detail::gpu {

// What a row of logits has come to: its largest, how often that occurs and where first, and sums over the others of
// exp(z - largest) and of its square.
struct TopAndRest {
  float top, tied, rest, squares;
  int at;
};

// A thread's part of a row that is read only once: the largest so far, and the sums relative to it.
template <bool squared>
class OnlineRow {
 public:
  template <class E>
  __device__ void add(const uint4 (&pack)[BlockRow<E>::ahead], int first, bool brain) {
    constexpr int ahead = BlockRow<E>::ahead, apart = BlockRow<E>::threads * E::count;
    float v[ahead][E::count], largest = -INFINITY;
#pragma unroll
    for (int u = 0; u < ahead; ++u) {
      E::unpack(pack[u], brain, v[u]);
#pragma unroll
      for (int j = 0; j < E::count; ++j) largest = fmaxf(largest, v[u][j]);
    }
    largest = warp_max(largest);  // one decision for all threads of a warp
    if (largest < top_) {         // as a rule: nothing to look for
#pragma unroll
      for (int u = 0; u < ahead; ++u)
        for_pack(v[u], 0, [&](float z, int, auto slot) { this->template add_smaller<slot.value>(z); });
      return;
    }
    if (largest > top_) rise_to(largest);
#pragma unroll
    for (int u = 0; u < ahead; ++u)
      for_pack(v[u], first + u * apart, [&](float z, int j, auto slot) {
        if (z == top_) {
          at_ = min(at_, j);
          tied_ += 1;
        } else {
          this->template add_smaller<slot.value>(z);
        }
      });
  }

  // Of the whole block.
  __device__ TopAndRest merged(BlockRoom& room) const {
    const auto add = [](float a, float b) { return a + b; };
    const float top = block_merge(warp_max(top_), room, [](float a, float b) { return fmaxf(a, b); });
    float rest = (rest_[0] + rest_[1]) + (rest_[2] + rest_[3]), tied = tied_;
    float squares = (squares_[0] + squares_[1]) + (squares_[2] + squares_[3]);
    rest *= e_.fix;
    squares *= e_.fix * e_.fix;
    if (top_ < top) {
      const float scale = expf(top_ - top);
      rest = top_ == -INFINITY ? 0 : (rest + tied) * scale;
      squares = top_ == -INFINITY ? 0 : (squares + tied) * scale * scale;
      tied = 0;
    }
    TopAndRest out{.top = top};
    out.rest = block_merge(warp_sum(rest), room, add);
    out.squares = squared ? block_merge(warp_sum(squares), room, add) : 0;
    out.tied = block_merge(warp_sum(tied), room, add);
    out.at = block_merge(warp_least(top_ < top ? INT_MAX : at_), room, [](int a, int b) { return a < b ? a : b; });
    return out;
  }

 private:
  template <int slot>
  __device__ void add_smaller(float z) {
    const float e = e_(z);
    rest_[slot] += e;
    if constexpr (squared) squares_[slot] = fmaf(e, e, squares_[slot]);
  }
  __device__ void rise_to(float top) {
    const Exponent e(top);
    const float scale = expf(top_ - top) / e.fix, fix = top_ == -INFINITY ? 1 : e_.fix;
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      rest_[s] = (rest_[s] * fix + (s == 0 ? tied_ : 0)) * scale;
      squares_[s] = (squares_[s] * (fix * fix) + (s == 0 ? tied_ : 0)) * (scale * scale);
    }
    e_ = e;
    top_ = top;
    tied_ = 0;
    at_ = INT_MAX;
  }

  Exponent e_{0};
  float top_ = -INFINITY, tied_ = 0, rest_[4] = {}, squares_[4] = {};
  int at_ = INT_MAX;
};

}  // namespace tare::detail::gpu
