#include <utility>

#include "tare/gpu/launch.cuh"
#include "tare/gpu/temper.hpp"
#include "tare/gpu/totals.cuh"

namespace tare::detail::gpu {
namespace {

constexpr int temperatures = 4, kept = 3;                        // loss, slope, curvature
constexpr int of_four = temperatures * kept + 2, of_one = kept;  // and rows, and rows that are wrong

// The logit of a class of probability 0, where it is the label's: as on the CPU.
__device__ float label_of(float z) { return z == -INFINITY ? static_cast<float>(masked_logit) : z; }

// Warps, or blocks, that each write a part.
int parts_of(const DeviceRows& rows) {
  const Shape shape = shape_of(rows.n, rows.k);
  return form_of(rows.k) == Form::block ? shape.blocks : shape.blocks * shape.threads / 32;
}

// One pass, and the totals of its parts, `count` of each.
template <class Pass>
void run_pass(const DeviceRows& rows, const Pass& pass, int count, double* totals, Stream stream) {
  if (rows.type == Type::float32)
    launch_work<Float32>(rows, stream, pass);
  else
    launch_work<Float16>(rows, stream, pass);
  add_parts<<<static_cast<unsigned>(count), 256, 0, cuda(stream)>>>(pass.parts, parts_of(rows), count, totals, false);
  check_launch("adding up parts");
}

// ---- Four temperatures in one pass, in float32.

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

// ---- One temperature, in float64.

// 2^x for -1001 < x <= 0: the nearest whole number goes into the exponent, and a polynomial (interpolation at
// Chebyshev's points, off by less than 2e-14) does the rest.
__device__ double exp2_negative(double x) {
  constexpr double shift = 6755399441055744.0;  // 1.5 * 2^52: adding it rounds
  const double shifted = x + shift, f = x - (shifted - shift);
  double p = 1.0212097549811005e-07;
  p = fma(p, f, 1.3259945262689143e-06);
  p = fma(p, f, 1.5252640059770786e-05);
  p = fma(p, f, 0.00015403432339553542);
  p = fma(p, f, 0.001333355825801874);
  p = fma(p, f, 0.009618129195951041);
  p = fma(p, f, 0.05550410866428854);
  p = fma(p, f, 0.24022650695631514);
  p = fma(p, f, 0.6931471805599526);
  p = fma(p, f, 1.000000000000014);
  return __hiloint2double(__double2hiint(p) + (__double2loint(shifted) << 20), __double2loint(p));
}

template <class Row>
class OneWorker;

struct OnePass {
  Source s;
  LabelSource label;
  double v, v_log2e;
  float lowest;  // what is further below the largest counts as nothing
  const float* top;
  double* parts;
  unsigned* reach;

  template <class Row>
  using Worker = OneWorker<Row>;
  static constexpr int warp_blocks(int) { return 2; }
  static constexpr int lane_blocks(int) { return 4; }
  static constexpr int block_blocks = 2;
};

struct OneRow {
  double s0 = 1, s1 = 0, s2 = 0, label = 0;
};

template <class Row>
__device__ OneRow moments(const OnePass& g, long long i, long long y, const Row& row, float& reach) {
  const float top = g.top[i], lowest = top + g.lowest;
  const double wide_top = top;
  double s0 = 0, s1 = 0, s2 = 0;
  float least = top;
  row.for_each([&](float z, int, auto) {
    if (z > -INFINITY) least = fminf(least, z);
    const double a = static_cast<double>(fmaxf(z, lowest)) - wide_top;
    const double e = exp2_negative(a * g.v_log2e), ae = a * e;
    s0 += e;
    s1 += ae;
    s2 = fma(a, ae, s2);
  });
  reach = fmaxf(reach, top - least);
  return {row.sum(s0), row.sum(s1), row.sum(s2), static_cast<double>(label_of(row.at(y))) - wide_top};
}

struct OneSums {
  double loss = 0, slope = 0, curvature = 0;
  __device__ void add(double v, const OneRow& r) {
    const double mean = r.s1 / r.s0;
    loss += log(r.s0) - v * r.label;
    slope += mean - r.label;
    curvature += fmax(r.s2 / r.s0 - mean * mean, 0.0);
  }
};

template <class Row>
class OneWorker {
 public:
  __device__ explicit OneWorker(const OnePass& pass) : pass_(pass) {}
  __device__ void row(long long i, long long y, const Row& row) {
    const OneRow found = moments(pass_, i, y, row, reach_);
    if constexpr (Row::width == 32) {  // 32 rows are finished at once, one by each thread
      if (lane() == count_) waiting_ = found;
      if (++count_ < 32) return;
      sums_.add(pass_.v, waiting_);
      count_ = 0;
    } else if (is_first<Row>()) {
      sums_.add(pass_.v, found);
    }
  }
  __device__ void skipped(long long) {}
  __device__ void finish() {
    if (lane() < count_) sums_.add(pass_.v, waiting_);
    const float reach = warp_max(reach_);
    if (lane() == 0) atomicMax(pass_.reach, __float_as_uint(reach));
    if constexpr (Row::width < block_threads)
      sums_ = {warp_sum(sums_.loss), warp_sum(sums_.slope), warp_sum(sums_.curvature)};
    if (threadIdx.x % (Row::width < block_threads ? 32U : Row::width) != 0) return;
    double* to = pass_.parts + part_number<Row>() * of_one;
    to[0] = sums_.loss;
    to[1] = sums_.slope;
    to[2] = sums_.curvature;
  }

 private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x & 31U); }

  const OnePass& pass_;
  OneSums sums_;
  OneRow waiting_;
  int count_ = 0;
  float reach_ = 0;
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

numeric::TemperedNll Tempered::one(double v) {
  constexpr double log2e = 1.4426950408889634;
  const OnePass g{
      source_of(rows_), source_of(labels_), v, v * log2e, static_cast<float>(-1000 / (v * log2e)), top_.data(),
      parts_.data(),    reach_.data()};
  run_pass(rows_, g, of_one, totals_.data(), stream_);
  std::vector<double> total(of_one);
  std::vector<float> reach(1);
  copy_to_host(total.data(), totals_.data(), of_one * sizeof(double), stream_);
  copy_to_host(reach.data(), reach_.data(), sizeof(float), stream_);
  range_ = static_cast<double>(reach[0]);
  return {total[0] / counted_, total[1] / counted_, total[2] / counted_};
}

}  // namespace tare::detail::gpu
