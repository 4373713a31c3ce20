#include "tare/gpu/launch.cuh"
#include "tare/gpu/reduce.cuh"

namespace tare::detail::gpu {
namespace {

template <class Row>
class ProbsWorker;

// Probabilities: the largest, and whether the row is one of probabilities at all.
struct ProbsWork {
  Source s;
  LabelSource label;
  float tolerance;
  Reduced out;
  unsigned long long* first_bad;

  template <class Row>
  using Worker = ProbsWorker<Row>;
  static constexpr int warp_blocks(int) { return 2; }
  static constexpr int lane_blocks(int) { return 4; }
  static constexpr int block_blocks = 2;
};

template <class Row>
class ProbsWorker {
 public:
  __device__ explicit ProbsWorker(const ProbsWork& work) : work_(work) {}
  __device__ void row(long long i, long long y, const Row& row) {
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
      if (p == top && j >= 0 && j < work_.s.k) at = min(at, j);
    });
    at = row.least(at);
    if (!is_first<Row>()) return;
    if (outside != 0 || !(fabsf(sum - 1) <= work_.tolerance) || bad_label(work_.label, y, work_.s.k)) {
      atomicMin(work_.first_bad, static_cast<unsigned long long>(i));
      return;
    }
    const Reduced& out = work_.out;
    if (out.score) out.score[i] = top;
    if (out.rest) out.rest[i] = 1 - top;
    if (out.argmax) out.argmax[i] = at;
    if (out.hit) out.hit[i] = at == y ? 1 : 0;
    if (y < 0) return;
    const float p = row.at(y);
    if (out.nll) out.nll[i] = static_cast<float>(-log(static_cast<double>(p)));
    if (out.brier) out.brier[i] = fmaf(1 - p, 1 - p, fmaxf(square - p * p, 0));
  }
  __device__ void skipped(long long i) { mark_skipped<Row>(work_.out, i); }
  __device__ void finish() {}

 private:
  const ProbsWork& work_;
};

void enqueue_probs(const DeviceRows& rows, const Labels& labels, const Reduced& out, const Faults& faults,
                   Stream stream) {
  const bool wide = rows.type == Type::float32;
  const ProbsWork work{source_of(rows), source_of(labels),
                       static_cast<float>(wide ? row_sum_tolerance : row_sum_tolerance_float16), out, faults.first()};
  wide ? launch_work_full<Float32>(rows, stream, work) : launch_work_full<Float16>(rows, stream, work);
}

}  // namespace

void enqueue_reduce(const DeviceRows& rows, const Labels& labels, const Reduced& out, const Faults& faults,
                    Stream stream) {
  (rows.kind == Kind::logits ? enqueue_logits : enqueue_probs)(rows, labels, out, faults, stream);
}

Result<bool> reduce(const DeviceRows& rows, const Labels& labels, const Reduced& out, Stream stream) {
  return guarded([&]() -> Result<bool> {
    if (const auto fine = readable(rows, labels); !fine) return fine.error();
    const Faults faults(stream);
    enqueue_reduce(rows, labels, out, faults, stream);
    return faults.check(rows, labels);
  });
}

}  // namespace tare::detail::gpu
