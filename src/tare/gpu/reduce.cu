#include "tare/gpu/reduce.hpp"

#include "tare/gpu/launch.cuh"

namespace tare::inner::gpu {
namespace {

// What a row of logits has come to: its largest, how often that occurs and where first, and sums over the others of
// exp(z - largest) and of its square.
struct TopAndRest {
  float top, tied, rest, squares;
  int at;
};

__device__ void finish_logits(long long i, long long y, const TopAndRest& r, float label_logit, bool exact_log,
                              const Reduced& out) {
  const float rest = r.rest + (r.tied - 1), whole = 1 + rest;
  if (out.score) out.score[i] = __frcp_rn(whole);
  if (out.rest) out.rest[i] = rest;
  if (out.argmax) out.argmax[i] = r.at;
  if (out.hit) out.hit[i] = r.at == y ? 1 : 0;
  if (y < 0) return;
  if (out.nll) {
    const float below = r.top - label_logit;
    out.nll[i] = exact_log ? static_cast<float>(log1p(static_cast<double>(rest)) + below) : log1pf(rest) + below;
  }
  if (out.brier) {
    const float others = r.squares + (r.tied - 1);  // beside the first of the largest
    const float e = r.at == y ? 1 : exp_negative(label_logit - r.top), miss = r.at == y ? rest : whole - e;
    out.brier[i] = (miss * miss + (r.at == y ? others : 1 + others - e * e)) / (whole * whole);
  }
}

// Whatever is no number has come through to the sum of the others, or is the largest.
__device__ bool usable(const TopAndRest& r) { return r.rest >= 0 && r.top > -INFINITY && r.top < INFINITY; }

__device__ bool bad_label(const LabelSource& label, long long y, int k) {
  return label.data != nullptr && (y < 0 || y >= k);
}

// One number after the other: the careful way. `squared`: with squares, which only a Brier score needs.
template <bool squared>
class Careful {
 public:
  __device__ explicit Careful(float top) : top_(top), e_(top) {}
  template <int slot>
  __device__ void add(float z, int j) {
    if (z == top_) {
      tied_ += 1;
      at_ = min(at_, j);
    } else {
      add_smaller<slot>(z);
    }
  }
  template <int slot>
  __device__ void add_smaller(float z) {
    const float e = e_(z);
    rest_[slot] += e;
    if constexpr (squared) squares_[slot] = fmaf(e, e, squares_[slot]);
  }
  template <class Row>
  __device__ TopAndRest merged(const Row& row) const {
    return {top_, static_cast<float>(row.sum(tied_)), e_.fix * row.sum((rest_[0] + rest_[1]) + (rest_[2] + rest_[3])),
            squared ? e_.fix * e_.fix * row.sum((squares_[0] + squares_[1]) + (squares_[2] + squares_[3])) : 0,
            row.least(at_)};
  }

 private:
  float top_;
  Exponent e_;
  float rest_[4] = {}, squares_[4] = {};
  int tied_ = 0, at_ = INT_MAX;
};

template <bool squared, class E>
__device__ TopAndRest top_and_rest(const LaneRow<E>& row) {
  float top = -INFINITY;
  row.for_each([&](float z, int, auto) { top = fmaxf(top, z); });
  Careful<squared> sums(top);
  row.for_each([&](float z, int j, auto slot) { sums.template add<slot.value>(z, j); });
  return sums.merged(row);
}

// Most packs of a thread do not hold the largest number, and need no care.
template <bool squared, class E, int lanes, int most>
__device__ TopAndRest top_and_rest(const GroupRow<E, lanes, most>& row) {
  float top = -INFINITY, of_pack[GroupRow<E, lanes, most>::chunks + 1];
  row.for_packs([&](const auto& v, int first, int c) {
    float largest = -INFINITY;
    for_pack(v, first, [&](float z, int, auto) { largest = fmaxf(largest, z); });
    of_pack[c] = largest;
    top = fmaxf(top, largest);
  });
  top = row.max(top);
  Careful<squared> sums(top);
  row.for_packs([&](const auto& v, int first, int c) {
    if (of_pack[c] < top)
      for_pack(v, first, [&](float z, int, auto slot) { sums.template add_smaller<slot.value>(z); });
    else
      for_pack(v, first, [&](float z, int j, auto slot) { sums.template add<slot.value>(z, j); });
  });
  return sums.merged(row);
}

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

template <bool squared, class Row>
__device__ void reduce_logits_row(const Source& s, const LabelSource& label, const Reduced& out,
                                  unsigned long long* first_bad, long long i, long long y, const Row& row) {
  const TopAndRest found = top_and_rest<squared>(row);
  if (!is_first<Row>()) return;
  if (!usable(found) || bad_label(label, y, s.k))
    atomicMin(first_bad, static_cast<unsigned long long>(i));
  else
    finish_logits(i, y, found, y < 0 ? 0 : row.at(y), Row::width > 1, out);
}

template <class E, bool squared>
__global__ void __launch_bounds__(lane_threads)
    logits_by_lanes(Source s, LabelSource label, Reduced out, unsigned long long* first_bad) {
  for_lane_rows<E>(
      s, label,
      [&](long long i, long long y, const auto& row) {
        reduce_logits_row<squared>(s, label, out, first_bad, i, y, row);
      },
      [&](long long i) {
        if (out.hit) out.hit[i] = 2;
      });
}
// What is left to do about a row whose sums are known, for many rows at once: one by each thread.
__device__ void finish_row(const Source& s, const LabelSource& label, const Reduced& out, unsigned long long* first_bad,
                           long long i, const TopAndRest& found, bool brain, int size, bool exact_log) {
  const long long y = label(i);
  if (label.data != nullptr && y == label.ignored) {
    if (out.hit) out.hit[i] = 2;
  } else if (!usable(found) || bad_label(label, y, s.k)) {
    atomicMin(first_bad, static_cast<unsigned long long>(i));
  } else {
    const Byte* at = s.row(i) + y * size;
    const float z = y < 0 ? 0 : size == 4 ? Float32::one(at, false) : Float16::one(at, brain);
    finish_logits(i, y, found, z, exact_log, out);
  }
}

template <class E, bool squared>
__global__ void __launch_bounds__(warp_threads, 3)
    logits_by_quarters(Source s, LabelSource label, Reduced out, unsigned long long* first_bad) {
  TopAndRest mine{};
  for_quarter_rows<E>(
      s,
      [&](int t, const auto& row) {
        const TopAndRest found = top_and_rest<squared>(row);
        if (static_cast<int>(threadIdx.x % 4) == t) mine = found;
      },
      [&](long long i) { finish_row(s, label, out, first_bad, i, mine, s.brain, E::size, false); });
}
template <class E, bool squared>
__global__ void __launch_bounds__(warp_threads, E::size == 4 ? 3 : 4)
    logits_by_warps(Source s, LabelSource label, Reduced out, unsigned long long* first_bad) {
  TopAndRest mine{};
  long long row_of_mine = 0;
  int count = 0;
  const int lane = static_cast<int>(threadIdx.x & 31U);
  for_warp_rows<E>(
      s, label,
      [&](long long i, long long, const auto& row) {
        const TopAndRest found = top_and_rest<squared>(row);
        if (lane == count) {
          mine = found;
          row_of_mine = i;
        }
        if (++count < 32) return;
        finish_row(s, label, out, first_bad, row_of_mine, mine, s.brain, E::size, true);
        count = 0;
      },
      [&](long long i) {
        if (out.hit && lane == 0) out.hit[i] = 2;
      });
  if (lane < count) finish_row(s, label, out, first_bad, row_of_mine, mine, s.brain, E::size, true);
}
template <class E, bool squared>
__global__ void __launch_bounds__(block_threads, 2)
    logits_by_blocks(Source s, LabelSource label, Reduced out, unsigned long long* first_bad) {
  __shared__ BlockRoom merging;
  for_block_rows<E>(
      s, label,
      [&](long long i, long long y, const BlockRow<E>& row) {
        OnlineRow<squared> online;
        row.for_packs([&](const auto& pack, int first, int) { online.template add<E>(pack, first, s.brain); });
        const TopAndRest found = online.merged(merging);
        if (threadIdx.x != 0) return;
        if (!usable(found) || bad_label(label, y, s.k))
          atomicMin(first_bad, static_cast<unsigned long long>(i));
        else
          finish_logits(i, y, found, y < 0 ? 0 : row.at(y), true, out);
      },
      [&](long long i) {
        if (out.hit && threadIdx.x == 0) out.hit[i] = 2;
      });
}

// Probabilities: the largest, and whether the row is one of probabilities at all.
template <class Row>
__device__ void reduce_probs_row(const Source& s, const LabelSource& label, float tolerance, const Reduced& out,
                                 unsigned long long* first_bad, long long i, long long y, const Row& row) {
  float top = -INFINITY, sums[4] = {}, squares[4] = {};
  int outside = 0;
  row.for_each([&](float p, int, auto slot) {
    top = fmaxf(top, p);
    sums[slot.value] += p;
    squares[slot.value] = fmaf(p, p, squares[slot.value]);
    outside |= !(p >= 0 && p <= 1);
  });
  top = row.max(top);
  const float sum = row.sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
  const float square = row.sum((squares[0] + squares[1]) + (squares[2] + squares[3]));
  outside = row.sum(outside);
  int at = INT_MAX;
  row.for_each([&](float p, int j, auto) {
    if (p == top && j >= 0 && j < s.k) at = min(at, j);
  });
  at = row.least(at);
  if (!is_first<Row>()) return;
  if (outside != 0 || !(fabsf(sum - 1) <= tolerance) || bad_label(label, y, s.k)) {
    atomicMin(first_bad, static_cast<unsigned long long>(i));
    return;
  }
  if (out.score) out.score[i] = top;
  if (out.rest) out.rest[i] = 1 - top;
  if (out.argmax) out.argmax[i] = at;
  if (out.hit) out.hit[i] = at == y ? 1 : 0;
  if (y < 0) return;
  const float p = row.at(y);
  if (out.nll) out.nll[i] = static_cast<float>(-log(static_cast<double>(p)));
  if (out.brier) out.brier[i] = fmaf(1 - p, 1 - p, fmaxf(square - p * p, 0));
}

template <class E>
__global__ void __launch_bounds__(lane_threads)
    probs_by_lanes(Source s, LabelSource label, float tolerance, Reduced out, unsigned long long* first_bad) {
  for_lane_rows<E>(
      s, label,
      [&](long long i, long long y, const auto& row) {
        reduce_probs_row(s, label, tolerance, out, first_bad, i, y, row);
      },
      [&](long long i) {
        if (out.hit) out.hit[i] = 2;
      });
}
template <class E>
__global__ void __launch_bounds__(block_threads)
    probs_by_blocks(Source s, LabelSource label, float tolerance, Reduced out, unsigned long long* first_bad) {
  for_block_rows<E>(
      s, label,
      [&](long long i, long long y, const auto& row) {
        reduce_probs_row(s, label, tolerance, out, first_bad, i, y, row);
      },
      [&](long long i) {
        if (out.hit && threadIdx.x == 0) out.hit[i] = 2;
      });
}
template <class E>
__global__ void __launch_bounds__(warp_threads)
    probs_by_warps(Source s, LabelSource label, float tolerance, Reduced out, unsigned long long* first_bad) {
  for_warp_rows<E>(
      s, label,
      [&](long long i, long long y, const auto& row) {
        reduce_probs_row(s, label, tolerance, out, first_bad, i, y, row);
      },
      [&](long long i) {
        if (out.hit && is_first<WarpRow<E>>()) out.hit[i] = 2;
      });
}

template <class E, bool squared>
void enqueue_logits(const Rows& rows, const Labels& labels, const Reduced& out, const Faults& faults, Stream stream) {
  const Source s = source_of(rows);
  if (s.aligned && rows.k > 32 && rows.k <= most_lane_classes)
    launch_full(logits_by_quarters<E, squared>, (rows.n + warp_threads - 1) / warp_threads, warp_threads, 0, stream, s,
                source_of(labels), out, faults.first());
  else
    launch_full(rows.n, rows.k, stream, logits_by_lanes<E, squared>, logits_by_warps<E, squared>,
                logits_by_blocks<E, squared>, s, source_of(labels), out, faults.first());
}
template <class E>
void enqueue_probs(const Rows& rows, const Labels& labels, const Reduced& out, const Faults& faults, Stream stream) {
  const double tolerance = E::size == 4 ? row_sum_tolerance : row_sum_tolerance_float16;
  launch_full(rows.n, rows.k, stream, probs_by_lanes<E>, probs_by_warps<E>, probs_by_blocks<E>, source_of(rows),
              source_of(labels), static_cast<float>(tolerance), out, faults.first());
}

}  // namespace

void enqueue_reduce(const Rows& rows, const Labels& labels, const Reduced& out, const Faults& faults, Stream stream) {
  if (rows.kind != Kind::logits) {
    if (rows.type == Type::float32)
      enqueue_probs<Float32>(rows, labels, out, faults, stream);
    else
      enqueue_probs<Float16>(rows, labels, out, faults, stream);
  } else {
    const bool squared = out.brier != nullptr;
    auto* enqueue = squared ? enqueue_logits<Float16, true> : enqueue_logits<Float16, false>;
    if (rows.type == Type::float32) enqueue = squared ? enqueue_logits<Float32, true> : enqueue_logits<Float32, false>;
    if (rows.type == Type::bfloat16) enqueue = squared ? enqueue_logits<Brain16, true> : enqueue_logits<Brain16, false>;
    enqueue(rows, labels, out, faults, stream);
  }
}

Result<bool> reduce(const Rows& rows, const Labels& labels, const Reduced& out, Stream stream) {
  return guarded([&]() -> Result<bool> {
    if (const auto fine = readable(rows, labels); !fine) return fine.error();
    const Faults faults(stream);
    enqueue_reduce(rows, labels, out, faults, stream);
    return faults.check(rows, labels);
  });
}

}  // namespace tare::inner::gpu
