#include "tare/gpu/temper.hpp"

#include "tare/gpu/launch.cuh"
#include "tare/gpu/totals.cuh"

namespace tare::inner::gpu {
namespace {

constexpr int temperatures = 4, kept = 3;                        // loss, slope, curvature
constexpr int of_four = temperatures * kept + 2, of_one = kept;  // and rows, and rows that are wrong

struct FourArguments {
  Source s;
  LabelSource label;
  float v[temperatures];
  float* top;
  double* parts;
  unsigned long long* first_bad;
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

// The logit of a class of probability 0, where it is the label's: as on the CPU.
__device__ float label_of(float z) { return z == -INFINITY ? static_cast<float>(masked_logit) : z; }

template <class Row>
__device__ void temper_row(const FourArguments& g, long long i, long long y, const Row& row, FourSums<Row>& sums) {
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

template <class E>
__global__ void __launch_bounds__(lane_threads) four_by_lanes(FourArguments g) {
  FourSums<LaneRow<E>> sums;
  for_lane_rows<E>(
      g.s, g.label, [&](long long i, long long y, const LaneRow<E>& row) { temper_row(g, i, y, row, sums); },
      [](long long) {});
  double* to = g.parts + (static_cast<long long>(blockIdx.x) * (lane_threads / 32) + (threadIdx.x >> 5U)) * of_four;
  const bool first = (threadIdx.x & 31U) == 0;
#pragma unroll
  for (int t = 0; t < temperatures; ++t)
#pragma unroll
    for (int q = 0; q < kept; ++q) {
      const double sum = warp_sum(sums.sum[t][q]);
      if (first) to[t * kept + q] = sum;
    }
  const double rows = warp_sum(sums.rows), wrong = warp_sum(sums.wrong);
  if (!first) return;
  to[temperatures * kept] = rows;
  to[temperatures * kept + 1] = wrong;
}

template <class Row>
__device__ void write_four(const FourSums<Row>& sums, double* to) {
  const int mine = static_cast<int>(threadIdx.x % static_cast<unsigned>(Row::width));
  if (mine < temperatures)
    for (int q = 0; q < kept; ++q) to[mine * kept + q] = sums.sum[0][q];
  if (mine != 0) return;
  to[temperatures * kept] = sums.rows;
  to[temperatures * kept + 1] = sums.wrong;
}
template <class E>
__global__ void __launch_bounds__(warp_threads) four_by_warps(FourArguments g) {
  FourSums<WarpRow<E>> sums;
  for_warp_rows<E>(
      g.s, g.label, [&](long long i, long long y, const WarpRow<E>& row) { temper_row(g, i, y, row, sums); },
      [](long long) {});
  write_four(sums,
             g.parts + (static_cast<long long>(blockIdx.x) * (warp_threads / 32) + (threadIdx.x >> 5U)) * of_four);
}
template <class E>
__global__ void __launch_bounds__(block_threads) four_by_blocks(FourArguments g) {
  FourSums<BlockRow<E>> sums;
  for_block_rows<E>(
      g.s, g.label, [&](long long i, long long y, const BlockRow<E>& row) { temper_row(g, i, y, row, sums); },
      [](long long) {});
  write_four(sums, g.parts + static_cast<long long>(blockIdx.x) * of_four);
}

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

struct OneArguments {
  Source s;
  LabelSource label;
  double v, v_log2e;
  float lowest;  // what is further below the largest counts as nothing
  const float* top;
  double* parts;
  unsigned* reach;
};

struct OneRow {
  double s0 = 1, s1 = 0, s2 = 0, label = 0;
};

template <class Row>
__device__ OneRow moments(const OneArguments& g, long long i, long long y, const Row& row, float& reach) {
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

__device__ void note_reach(float reach, unsigned* to) {
  reach = warp_max(reach);
  if ((threadIdx.x & 31U) == 0) atomicMax(to, __float_as_uint(reach));
}
__device__ void write_warp(const OneSums& sums, double* to) {
  const double loss = warp_sum(sums.loss), slope = warp_sum(sums.slope), curvature = warp_sum(sums.curvature);
  if ((threadIdx.x & 31U) != 0) return;
  to[0] = loss;
  to[1] = slope;
  to[2] = curvature;
}

template <class E>
__global__ void __launch_bounds__(lane_threads) one_by_lanes(OneArguments g) {
  OneSums sums;
  float reach = 0;
  for_lane_rows<E>(
      g.s, g.label,
      [&](long long i, long long y, const LaneRow<E>& row) { sums.add(g.v, moments(g, i, y, row, reach)); },
      [](long long) {});
  note_reach(reach, g.reach);
  write_warp(sums, g.parts + (static_cast<long long>(blockIdx.x) * (lane_threads / 32) + (threadIdx.x >> 5U)) * of_one);
}
template <class E>
__global__ void __launch_bounds__(warp_threads) one_by_warps(OneArguments g) {
  OneSums sums;
  OneRow waiting;  // 32 rows are finished at once, one by each thread
  int count = 0;
  float reach = 0;
  const int lane = static_cast<int>(threadIdx.x & 31U);
  for_warp_rows<E>(
      g.s, g.label,
      [&](long long i, long long y, const WarpRow<E>& row) {
        const OneRow found = moments(g, i, y, row, reach);
        if (lane == count) waiting = found;
        if (++count < 32) return;
        sums.add(g.v, waiting);
        count = 0;
      },
      [](long long) {});
  if (lane < count) sums.add(g.v, waiting);
  note_reach(reach, g.reach);
  write_warp(sums, g.parts + (static_cast<long long>(blockIdx.x) * (warp_threads / 32) + (threadIdx.x >> 5U)) * of_one);
}
template <class E>
__global__ void __launch_bounds__(block_threads) one_by_blocks(OneArguments g) {
  OneSums sums;
  float reach = 0;
  for_block_rows<E>(
      g.s, g.label,
      [&](long long i, long long y, const BlockRow<E>& row) {
        const OneRow found = moments(g, i, y, row, reach);
        if (threadIdx.x == 0) sums.add(g.v, found);
      },
      [](long long) {});
  note_reach(reach, g.reach);
  if (threadIdx.x != 0) return;
  double* to = g.parts + static_cast<long long>(blockIdx.x) * of_one;
  to[0] = sums.loss;
  to[1] = sums.slope;
  to[2] = sums.curvature;
}

// Warps, or blocks, that each write a part.
int parts_of(std::size_t n, std::size_t k) {
  const Shape shape = shape_of(n, k);
  return work_of(k) == Work::block ? shape.blocks : shape.blocks * shape.threads / 32;
}

}  // namespace

Tempered::Tempered(const Rows& rows, const Labels& labels, Stream stream)
    : rows_(rows),
      labels_(labels),
      stream_(stream),
      faults_(stream),
      top_(rows.n, stream),
      parts_(static_cast<std::size_t>(parts_of(rows.n, rows.k)) * of_four, stream),
      totals_(of_four, stream),
      reach_(1, stream) {
  reach_.zero();
}

Result<std::array<numeric::TemperedNll, 4>> Tempered::four(const Four& v) {
  FourArguments g{source_of(rows_), source_of(labels_), {}, top_.data(), parts_.data(), faults_.first()};
  for (int t = 0; t < temperatures; ++t) g.v[t] = static_cast<float>(v[static_cast<std::size_t>(t)]);
  if (rows_.type == Type::float32)
    launch(rows_.n, rows_.k, stream_, four_by_lanes<Float32>, four_by_warps<Float32>, four_by_blocks<Float32>, g);
  else
    launch(rows_.n, rows_.k, stream_, four_by_lanes<Float16>, four_by_warps<Float16>, four_by_blocks<Float16>, g);
  add_parts<<<of_four, 256, 0, cuda(stream_)>>>(parts_.data(), parts_of(rows_.n, rows_.k), of_four, totals_.data(),
                                                false);
  check_launch("adding up parts");
  if (passes_++ == 0)
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
  ++passes_;
  constexpr double log2e = 1.4426950408889634;
  const OneArguments g{
      source_of(rows_), source_of(labels_), v, v * log2e, static_cast<float>(-1000 / (v * log2e)), top_.data(),
      parts_.data(),    reach_.data()};
  if (rows_.type == Type::float32)
    launch(rows_.n, rows_.k, stream_, one_by_lanes<Float32>, one_by_warps<Float32>, one_by_blocks<Float32>, g);
  else
    launch(rows_.n, rows_.k, stream_, one_by_lanes<Float16>, one_by_warps<Float16>, one_by_blocks<Float16>, g);
  add_parts<<<of_one, 256, 0, cuda(stream_)>>>(parts_.data(), parts_of(rows_.n, rows_.k), of_one, totals_.data(),
                                               false);
  check_launch("adding up parts");
  std::vector<double> total(of_one);
  std::vector<float> reach(1);
  copy_to_host(total.data(), totals_.data(), of_one * sizeof(double), stream_);
  copy_to_host(reach.data(), reach_.data(), sizeof(float), stream_);
  range_ = static_cast<double>(reach[0]);
  return {total[0] / counted_, total[1] / counted_, total[2] / counted_};
}

}  // namespace tare::inner::gpu
