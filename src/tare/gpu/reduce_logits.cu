#include "tare/gpu/launch.cuh"
#include "tare/gpu/reduce.cuh"

namespace tare::detail::gpu {
namespace {

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

// 1 / x for an x from 1 on that is finite.
__device__ float reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fmaf(y, fmaf(-x, y, 1), y);
}

// Written past the caches: nobody reads it soon.
__device__ void finish_logits(long long i, int y, const TopAndRest& r, float label_logit, bool exact_log,
                              const Reduced& out) {
  const float rest = r.rest + (r.tied - 1), whole = 1 + rest;
  if (out.score) __stcs(out.score + i, reciprocal(whole));
  if (out.rest) out.rest[i] = rest;
  if (out.argmax) out.argmax[i] = r.at;
  if (out.hit) __stcs(out.hit + i, static_cast<std::uint8_t>(r.at == y ? 1 : 0));
  if (y < 0) return;
  if (out.nll) {
    const float below = r.top - label_logit;
    __stcs(out.nll + i,
           exact_log ? static_cast<float>(log1p(static_cast<double>(rest)) + below) : log1pf(rest) + below);
  }
  if (out.brier) {
    const float others = r.squares + (r.tied - 1);  // beside the first of the largest
    const float e = r.at == y ? 1 : exp_negative(label_logit - r.top), miss = r.at == y ? rest : whole - e;
    out.brier[i] = (miss * miss + (r.at == y ? others : 1 + others - e * e)) / (whole * whole);
  }
}

// Whatever is no number has come through to the sum of the others, or is the largest.
__device__ bool usable(const TopAndRest& r) { return r.rest >= 0 && r.top > -INFINITY && r.top < INFINITY; }

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
  // The same for a thread that sees the whole row in its order, without a branch: in every column it is some thread's
  // largest. Among few classes, what ties with the first of the largest is a term like others.
  template <int slot, bool few>
  __device__ void add_next(float z, int j) {
    const float e = e_(z);
    if (z == top_ && (!few || at_ == INT_MAX)) {
      tied_ = few ? 1 : tied_ + 1;
      at_ = few ? j : min(at_, j);
    } else {
      rest_[slot] += e;
      if constexpr (squared) squares_[slot] = fmaf(e, e, squares_[slot]);
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

template <bool squared>
__device__ TopAndRest top_and_rest(const LaneRow& whole) {
  return whole.unrolled([](const auto& row) {
    constexpr bool few = !std::is_same_v<decltype(row), const LaneRow&>;
    float tops[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    row.for_each([&](float z, int, auto slot) { tops[slot.value] = fmaxf(tops[slot.value], z); });
    Careful<squared> sums(fmaxf(fmaxf(tops[0], tops[1]), fmaxf(tops[2], tops[3])));
    row.for_each([&](float z, int j, auto slot) { sums.template add_next<slot.value, few>(z, j); });
    return sums.merged(row);
  });
}

// Most packs of a thread do not hold the largest number, and need no care.
template <bool squared, class E>
__device__ TopAndRest top_and_rest(const WarpRow<E>& row) {
  float top = -INFINITY, of_pack[WarpRow<E>::chunks + 1];
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

template <bool squared, class E>
__device__ TopAndRest top_and_rest(const BlockRow<E>& row) {
  OnlineRow<squared> online;
  row.for_packs([&](const auto& pack, int first, int) { online.template add<E>(pack, first, row.source().brain); });
  return online.merged(row.room());
}

template <bool squared, class Row>
class LogitsWorker;

// Logits to what is wanted of each row.
template <bool squared>
struct LogitsWork {
  Source s;
  LabelSource label;
  Reduced out;
  unsigned long long* first_bad;

  template <class Row>
  using Worker = LogitsWorker<squared, Row>;
  static constexpr int warp_blocks(int size) { return size == 4 ? 3 : 4; }
  static constexpr int lane_blocks(int size) { return size == 4 ? 12 : 8; }
  static constexpr int block_blocks = 2;
};

// Rows are finished as they come, by the first thread of each.
template <bool squared, class Row>
class LogitsWorker {
 public:
  __device__ explicit LogitsWorker(const LogitsWork<squared>& work) : work_(work) {}
  __device__ void row(long long i, long long y, const Row& row) {
    const TopAndRest found = top_and_rest<squared>(row);
    if (!is_first<Row>()) return;
    if (!usable(found) || bad_label(work_.label, y, work_.s.k))
      atomicMin(work_.first_bad, static_cast<unsigned long long>(i));
    else
      finish_logits(i, static_cast<int>(y), found, y < 0 ? 0 : row.at(static_cast<int>(y)), Row::width > 1, work_.out);
  }
  __device__ void skipped(long long i) { mark_skipped<Row>(work_.out, i); }
  __device__ void finish() {}

 private:
  const LogitsWork<squared>& work_;
};

// 32 rows are finished at once, one by each thread of the warp.
template <bool squared, class E>
class LogitsWorker<squared, WarpRow<E>> {
 public:
  __device__ explicit LogitsWorker(const LogitsWork<squared>& work)
      : work_(work), lane_(static_cast<int>(threadIdx.x & 31U)) {}
  __device__ void row(long long i, long long, const WarpRow<E>& row) {
    const TopAndRest found = top_and_rest<squared>(row);
    if (lane_ == count_) {
      mine_ = found;
      row_of_mine_ = i;
    }
    if (++count_ < 32) return;
    finish_mine();
    count_ = 0;
  }
  __device__ void skipped(long long i) { mark_skipped<WarpRow<E>>(work_.out, i); }
  __device__ void finish() {
    if (lane_ < count_) finish_mine();
  }

 private:
  __device__ void finish_mine() {
    const long long y = work_.label(row_of_mine_);
    if (!usable(mine_) || bad_label(work_.label, y, work_.s.k)) {
      atomicMin(work_.first_bad, static_cast<unsigned long long>(row_of_mine_));
      return;
    }
    const float z = y < 0 ? 0 : E::one(work_.s.row(row_of_mine_) + y * E::size, work_.s.brain);
    finish_logits(row_of_mine_, static_cast<int>(y), mine_, z, true, work_.out);
  }

  const LogitsWork<squared>& work_;
  int lane_, count_ = 0;
  TopAndRest mine_{};
  long long row_of_mine_ = 0;
};

template <bool squared>
void enqueue(const DeviceRows& rows, const Labels& labels, const Reduced& out, const Faults& faults, Stream stream) {
  const LogitsWork<squared> work{source_of(rows), source_of(labels), out, faults.first()};
  if (rows.type == Type::float32)
    launch_work_full<Float32>(rows, stream, work);
  else if (rows.type == Type::bfloat16)
    launch_work_full<Brain16>(rows, stream, work);
  else
    launch_work_full<Float16>(rows, stream, work);
}

}  // namespace

void enqueue_logits(const DeviceRows& rows, const Labels& labels, const Reduced& out, const Faults& faults,
                    Stream stream) {
  (out.brier != nullptr ? enqueue<true> : enqueue<false>)(rows, labels, out, faults, stream);
}

}  // namespace tare::detail::gpu
