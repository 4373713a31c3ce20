#include "tare/gpu/fit.hpp"
#include "tare/gpu/launch.cuh"
#include "tare/gpu/totals.cuh"

namespace tare::detail::gpu {
namespace {

constexpr int row_blocks = 1056, column_threads = 128;

__device__ double element(const Source& s, Type type, long long i, int j) {
  const Byte* row = s.row(i);
  return type == Type::float32 ? Float32::one(row + 4LL * j, false) : Float16::one(row + 2LL * j, s.brain);
}

struct Arguments {
  Source s;
  Type type;
  LabelSource label;
  const double* w;
  const double* b;
  double* normaliser;
  double* parts;

  // A class of probability 0 stays one.
  __device__ double scaled(double z, int j) const { return z > -INFINITY ? fma(w[j], z, b[j]) : z; }
};

// log sum exp of every row, and the losses of a warp's rows.
__global__ void __launch_bounds__(warp_threads) normalise(Arguments g) {
  const int lane = static_cast<int>(threadIdx.x & 31U);
  const long long warp = static_cast<long long>(blockIdx.x) * (warp_threads / 32) + (threadIdx.x >> 5U);
  double loss = 0;
  for (long long i = warp; i < g.s.n; i += static_cast<long long>(gridDim.x) * (warp_threads / 32)) {
    const long long y = g.label(i);
    if (y == g.label.ignored) continue;
    double top = -INFINITY, sum = 0;
    for (int j = lane; j < g.s.k; j += 32) top = fmax(top, g.scaled(element(g.s, g.type, i, j), j));
    for (int o = 16; o > 0; o >>= 1) top = fmax(top, __shfl_xor_sync(~0U, top, o));
    for (int j = lane; j < g.s.k; j += 32) sum += exp(g.scaled(element(g.s, g.type, i, j), j) - top);
    sum = warp_sum(sum);
    if (lane != 0) continue;
    const double z = element(g.s, g.type, i, static_cast<int>(y)), normaliser = top + log(sum);
    g.normaliser[i] = normaliser;
    loss += normaliser - fma(g.w[y], z > -INFINITY ? z : masked_logit, g.b[y]);
  }
  if (lane == 0) g.parts[warp] = loss;
}

// A thread has a class, and a block a chunk of the rows.
__global__ void __launch_bounds__(column_threads) add_classes(Arguments g, int chunks) {
  const int j = static_cast<int>(blockIdx.x) * column_threads + static_cast<int>(threadIdx.x);
  if (j >= g.s.k) return;
  const long long chunk = blockIdx.y, from = g.s.n * chunk / chunks, to = g.s.n * (chunk + 1) / chunks;
  double sum[ScaledNll::means] = {};
  for (long long i = from; i < to; ++i) {
    const long long y = g.label(i);
    if (y == g.label.ignored) continue;
    const double z = element(g.s, g.type, i, j), is = y == j ? 1 : 0, finite = z > -INFINITY ? z : 0;
    const double q = z > -INFINITY ? exp(fma(g.w[j], z, g.b[j]) - g.normaliser[i]) : 0, r = q - is, c = q * (1 - q);
    sum[ScaledNll::slope_w] += r * (z > -INFINITY ? z : is * masked_logit);
    sum[ScaledNll::slope_b] += r;
    sum[ScaledNll::curvature_ww] += c * finite * finite;
    sum[ScaledNll::curvature_wb] += c * finite;
    sum[ScaledNll::curvature_bb] += c;
    sum[ScaledNll::share] += is;
  }
#pragma unroll
  for (int m = 0; m < ScaledNll::means; ++m) g.parts[(chunk * ScaledNll::means + m) * g.s.k + j] = sum[m];
}

// The sums over chunks, in their order.
__global__ void add_chunks(const double* parts, int chunks, long long count, double* to) {
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= count) return;
  double sum = 0;
  for (int c = 0; c < chunks; ++c) sum += parts[c * count + at];
  to[at] = sum;
}

// As many as keep a device busy and their sums small.
int chunks_of(std::size_t n, std::size_t k) {
  const std::size_t room = (std::size_t{1} << 22) / (k * ScaledNll::means);
  return static_cast<int>(std::clamp<std::size_t>(std::min(room, n / 32), 1, 512));
}

}  // namespace

ScaledNll::ScaledNll(const DeviceRows& rows, const Labels& labels, Stream stream)
    : rows_(rows),
      labels_(labels),
      stream_(stream),
      chunks_(chunks_of(rows.n, rows.k)),
      x_(2 * rows.k, stream),
      normaliser_(rows.n, stream),
      row_parts_(row_blocks * warp_threads / 32, stream),
      parts_(static_cast<std::size_t>(chunks_) * means * rows.k, stream),
      totals_(means * rows.k, stream),
      loss_(1, stream) {}

double ScaledNll::operator()(std::span<const double> x, double counted) {
  copy_to_device(x_.data(), x.data(), x.size_bytes(), stream_);
  Arguments g{source_of(rows_),    rows_.type,         source_of(labels_), x_.data(),
              x_.data() + rows_.k, normaliser_.data(), row_parts_.data()};
  normalise<<<row_blocks, warp_threads, 0, cuda(stream_)>>>(g);
  check_launch("normalising rows");
  add_parts<<<1, 256, 0, cuda(stream_)>>>(row_parts_.data(), row_blocks * warp_threads / 32, 1, loss_.data(), false);
  g.parts = parts_.data();
  const dim3 blocks(static_cast<unsigned>((rows_.k + column_threads - 1) / column_threads),
                    static_cast<unsigned>(chunks_));
  add_classes<<<blocks, column_threads, 0, cuda(stream_)>>>(g, chunks_);
  check_launch("adding up classes");
  const auto count = static_cast<long long>(means * rows_.k);
  add_chunks<<<static_cast<unsigned>((count + 255) / 256), 256, 0, cuda(stream_)>>>(parts_.data(), chunks_, count,
                                                                                    totals_.data());
  check_launch("adding up chunks");
  class_means_ = totals_.download();
  for (double& mean : class_means_) mean /= counted;
  return loss_.download()[0] / counted;
}

}  // namespace tare::detail::gpu
