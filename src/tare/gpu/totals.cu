#include "tare/gpu/totals.cuh"

#include "tare/gpu/launch.cuh"
#include "tare/gpu/reduce.hpp"

namespace tare::detail::gpu {

__global__ void add_parts(const double* parts, int number, int count, double* to, bool more) {
  const int s = static_cast<int>(blockIdx.x);
  double sum = 0;
  for (int p = static_cast<int>(threadIdx.x); p < number; p += 256) sum += parts[static_cast<long long>(p) * count + s];
  const double total = block_total<256>(sum);
  if (threadIdx.x == 0) to[s] = more ? to[s] + total : total;
}

namespace {

constexpr int summed = sizeof(Totals) / sizeof(double), total_blocks = 512, total_threads = 256;

__global__ void __launch_bounds__(total_threads)
    sum_rows(const std::uint8_t* hit, const float* nll, const float* brier, long long n, double* parts) {
  double rows = 0, hits = 0, infinite = 0, loss = 0, loss2 = 0, square = 0, square2 = 0;
  for (long long i = static_cast<long long>(blockIdx.x) * total_threads + threadIdx.x; i < n;
       i += static_cast<long long>(total_blocks) * total_threads) {
    if (hit[i] == 2) continue;
    rows += 1;
    hits += hit[i];
    if (nll != nullptr) {
      const double x = nll[i];
      if (!(x < 0x1p20)) {  // as numeric::infinite_loss
        infinite += 1;
      } else {
        loss += x;
        loss2 += x * x;
      }
    }
    if (brier != nullptr) {
      const double x = brier[i];
      square += x;
      square2 += x * x;
    }
  }
  const double all[summed] = {rows, hits, infinite, loss, loss2, square, square2};
#pragma unroll
  for (int t = 0; t < summed; ++t) {
    const double total = block_total<total_threads>(all[t]);
    if (threadIdx.x == 0) parts[static_cast<long long>(blockIdx.x) * summed + t] = total;
  }
}

}  // namespace

void add_to_totals(const std::uint8_t* hit, const float* nll, const float* brier, std::size_t n, Totals* totals,
                   Stream stream) {
  if (n == 0) return;
  const Buffer<double> parts(total_blocks * summed, stream);
  sum_rows<<<total_blocks, total_threads, 0, cuda(stream)>>>(hit, nll, brier, static_cast<long long>(n), parts.data());
  check_launch("adding up rows");
  add_parts<<<summed, 256, 0, cuda(stream)>>>(parts.data(), total_blocks, summed, reinterpret_cast<double*>(totals),
                                              true);
  check_launch("adding up parts");
}

}  // namespace tare::detail::gpu
