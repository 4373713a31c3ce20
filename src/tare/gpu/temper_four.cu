#include <utility>

#include "tare/gpu/temper.cuh"

namespace tare::detail::gpu {
namespace {

template <class Row>
class FourWorker;

struct FourPass {
  Source s;
  LabelSource label;
  float v[temperatures];
  float* top;
  double* parts;
  unsigned long long* first_bad;

  template <class Row>
  using Worker = FourWorker<Row>;
  static constexpr int warp_blocks(int size) { return size == 4 ? 2 : 3; }
  static constexpr int lane_blocks(int) { return 4; }
  static constexpr int block_blocks = 2;
};

// A thread's sums over rows. In a row that several threads share, one thread does one temperature.
template <class Row>
struct FourSums {
  static constexpr int mine = Row::width == 1 ? temperatures : 1;
  double sum[mine][kept] = {};
  double rows = 0, wrong = 0;

  __device__ void add(int slot, float v, float s0, float s1, float s2, float label) {
    const float mean = s1 / s0;
    sum[slot][0] += logf(s0) - static_cast<double>(v) * label;
    sum[slot][1] += static_cast<double>(mean) - label;
    sum[slot][2] += fmaxf(s2 / s0 - mean * mean, 0);
  }
};

template <class Row>
__device__ void temper_row(const FourPass& g, long long i, long long y, const Row& row, FourSums<Row>& sums) {
  constexpr float log2e = 1.44269504F;
  float top = -INFINITY;
  row.for_each([&](float z, int, auto) { top = fmaxf(top, z); });
  top = row.max(top);
  float s0[temperatures] = {}, s1[temperatures] = {}, s2[temperatures] = {};
  row.for_each([&](float z, int, auto) {
    const float a = z - top < -1e30F ? -1e30F : z - top;  // no number stays none
#pragma unroll
    for (int t = 0; t < temperatures; ++t) {
      const float e = exp2_fast(a * (g.v[t] * log2e)), ae = a * e;
      s0[t] += e;
      s1[t] += ae;
      s2[t] = fmaf(a, ae, s2[t]);
    }
  });
#pragma unroll
  for (int t = 0; t < temperatures; ++t) {
    s0[t] = row.sum(s0[t]);
    s1[t] = row.sum(s1[t]);
    s2[t] = row.sum(s2[t]);
  }
  const bool fine = y >= 0 && y < g.s.k && s0[0] >= 1 && top > -INFINITY && top < INFINITY;
  const float z = fine ? label_of(row.at(y)) : 0, label = z - top;
  if (is_first<Row>()) {
    if (!fine) atomicMin(g.first_bad, static_cast<unsigned long long>(i));
    g.top[i] = top;
    sums.rows += 1;
    sums.wrong += z != top;
  }
  if constexpr (Row::width == 1) {
#pragma unroll
    for (int t = 0; t < temperatures; ++t) sums.add(t, g.v[t], s0[t], s1[t], s2[t], label);
  } else {
    const int mine = static_cast<int>(threadIdx.x % static_cast<unsigned>(Row::width));
#pragma unroll
    for (int t = 0; t < temperatures; ++t)
      if (mine == t) sums.add(0, g.v[t], s0[t], s1[t], s2[t], label);
  }
}

template <class Row>
class FourWorker {
 public:
  __device__ explicit FourWorker(const FourPass& pass) : pass_(pass) {}
  __device__ void row(long long i, long long y, const Row& row) { temper_row(pass_, i, y, row, sums_); }
  __device__ void skipped(long long) {}
  __device__ void finish() const {
    double* to = pass_.parts + part_number<Row>() * of_four;
    if constexpr (Row::width == 1) {
      const bool first = (threadIdx.x & 31U) == 0;
#pragma unroll
      for (int t = 0; t < temperatures; ++t)
#pragma unroll
        for (int q = 0; q < kept; ++q) {
          const double sum = warp_sum(sums_.sum[t][q]);
          if (first) to[t * kept + q] = sum;
        }
      const double rows = warp_sum(sums_.rows), wrong = warp_sum(sums_.wrong);
      if (!first) return;
      to[temperatures * kept] = rows;
      to[temperatures * kept + 1] = wrong;
    } else {
      const int mine = static_cast<int>(threadIdx.x % static_cast<unsigned>(Row::width));
      if (mine < temperatures)
        for (int q = 0; q < kept; ++q) to[mine * kept + q] = sums_.sum[0][q];
      if (mine != 0) return;
      to[temperatures * kept] = sums_.rows;
      to[temperatures * kept + 1] = sums_.wrong;
    }
  }

 private:
  const FourPass& pass_;
  FourSums<Row> sums_;
};

}  // namespace

Tempered::Tempered(const DeviceRows& rows, const Labels& labels, Stream stream)
    : rows_(rows),
      labels_(labels),
      stream_(stream),
      faults_(stream),
      top_(rows.n, stream),
      parts_(static_cast<std::size_t>(parts_of(rows)) * of_four, stream),
      totals_(of_four, stream),
      reach_(1, stream) {
  reach_.zero();
}

Result<std::array<numeric::TemperedNll, 4>> Tempered::four(const Four& v) {
  FourPass g{source_of(rows_), source_of(labels_), {}, top_.data(), parts_.data(), faults_.first()};
  for (int t = 0; t < temperatures; ++t) g.v[t] = static_cast<float>(v[static_cast<std::size_t>(t)]);
  run_pass(rows_, g, of_four, totals_.data(), stream_);
  if (!std::exchange(looked_, true))
    if (const auto fine = faults_.check(rows_, labels_); !fine) return fine.error();
  const std::vector<double> total = totals_.download();
  counted_ = total[temperatures * kept];
  wrong_ = total[temperatures * kept + 1];
  std::array<numeric::TemperedNll, 4> out;
  for (std::size_t t = 0; t < out.size(); ++t)
    out[t] = {total[t * kept] / counted_, total[t * kept + 1] / counted_, total[t * kept + 2] / counted_};
  return out;
}

}  // namespace tare::detail::gpu
