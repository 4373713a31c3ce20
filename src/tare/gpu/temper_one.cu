#include "tare/gpu/temper.cuh"

namespace tare::detail::gpu {
namespace {

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
