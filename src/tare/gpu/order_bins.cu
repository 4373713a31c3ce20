#include "tare/gpu/order.cuh"

namespace tare::detail::gpu {
namespace {

__device__ long long first_at_least(const std::uint32_t* keys, long long low, long long high, std::uint32_t key) {
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

struct OrderKernels {
  using Query = Order::Query;
  using Found = Order::Found;

  // Where the boundary is, as a number of rows before it.
  __device__ static long long position(const Query& q, const std::uint32_t* keys, long long rows) {
    if (q.by_mass == 0) {
      if (q.edge < 0) return 0;
      if (q.edge >= 1) return rows;
      float above = __double2float_rd(q.edge);  // the largest score that is not above the edge
      return first_at_least(keys, 0, rows, (__float_as_uint(above) + 1) << 1U);
    }
    const auto rank = static_cast<long long>(q.rank);
    if (rank >= rows) return rows;
    const std::uint32_t score = keys[rank] >> 1U;
    if (rank == 0 || keys[rank - 1] >> 1U != score) return rank;
    const long long from = first_at_least(keys, 0, rank, score << 1U),
                    to = first_at_least(keys, rank, rows, (score + 1) << 1U);
    return static_cast<std::uint64_t>(from + to - 1) * q.b >= q.twice ? from : to;
  }

  // As Order::boundary.
  __device__ static Query boundary(bool by_mass, std::uint64_t j, std::uint64_t b, std::uint64_t n) {
    if (j == 0) return {.edge = -1};
    if (j == b) return {.edge = 2};
    if (!by_mass) return {.edge = static_cast<double>(j) / static_cast<double>(b)};
    return {.rank = (n * j + b - 1) / b, .twice = 2 * n * j, .b = b, .by_mass = 1};
  }

  // A warp for each boundary.
  __device__ static void find(const Query* queries, long long count, const std::uint32_t* keys, long long rows,
                              const std::uint64_t* before, Found* out) {
    const long long at = static_cast<long long>(blockIdx.x) * (order_threads / 32) + (threadIdx.x >> 5U);
    if (at >= count) return;
    const int lane = static_cast<int>(threadIdx.x & 31U);
    const long long p = position(queries[at], keys, rows), block = p / keys_of_block;
    std::uint64_t hits = 0, score = 0;
    for (long long i = block * keys_of_block + lane; i < p; i += 32) {
      hits += keys[i] & 1U;
      score += fixed_of(keys[i]);
    }
    hits = warp_sum(hits);
    score = warp_sum(score);
    if (lane != 0) return;
    const std::uint64_t* sum = before + block * words;
    const u128 total = (static_cast<u128>(sum[3]) << 64U | sum[2]) + score;
    out[at] = {static_cast<std::uint64_t>(p),     sum[0] + hits,
               static_cast<std::uint64_t>(total), static_cast<std::uint64_t>(total >> 64U),
               p > 0 ? score_of(keys[p - 1]) : 0, p < rows ? score_of(keys[p]) : 0};
  }
};

namespace {

__global__ void __launch_bounds__(order_threads)
    find_boundaries(const OrderKernels::Query* queries, long long count, const std::uint32_t* keys, long long rows,
                    const std::uint64_t* before, OrderKernels::Found* out) {
  OrderKernels::find(queries, count, keys, rows, before, out);
}

struct RowsAndHits {
  std::uint64_t rows, hits;
};

// Where the boundaries of all numbers of bins from `first` on begin in one array.
__device__ long long start_of(long long b, long long first) { return (b - first) * (b + first + 1) / 2; }

// DeviceRows and hits before every boundary, for first + blockIdx.y bins: a warp for each.
__global__ void __launch_bounds__(order_threads)
    find_ranks(bool by_mass, long long first, const std::uint32_t* keys, long long rows, const std::uint64_t* before,
               RowsAndHits* out) {
  const long long b = first + blockIdx.y;
  const long long j = static_cast<long long>(blockIdx.x) * (order_threads / 32) + (threadIdx.x >> 5U);
  if (j > b) return;
  const auto q = OrderKernels::boundary(by_mass, static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(b),
                                        static_cast<std::uint64_t>(rows));
  const long long p = OrderKernels::position(q, keys, rows), block = p / keys_of_block;
  unsigned hits = 0;
  for (long long i = block * keys_of_block + (threadIdx.x & 31U); i < p; i += 32) hits += keys[i] & 1U;
  hits = __reduce_add_sync(~0U, hits);
  if ((threadIdx.x & 31U) == 0)
    out[start_of(b, first) + j] = {static_cast<std::uint64_t>(p), before[block * words] + hits};
}

// Rates as fractions, so that equal rates are equal: a block for each number of bins.
__global__ void __launch_bounds__(order_threads)
    find_falls(long long first, const RowsAndHits* ranks, std::uint32_t* falls) {
  const long long b = first + blockIdx.x;
  const RowsAndHits* rank = ranks + start_of(b, first);
  for (long long j = 1 + threadIdx.x; j < b; j += order_threads) {
    if (rank[j + 1].rows == rank[j].rows) continue;  // empty
    long long last = j;                              // the end of the last bin before that is not
    while (last > 0 && rank[last - 1].rows == rank[j].rows) --last;
    if (last == 0) continue;
    const std::uint64_t mass = rank[j + 1].rows - rank[j].rows, hits = rank[j + 1].hits - rank[j].hits;
    const std::uint64_t mass_before = rank[last].rows - rank[last - 1].rows,
                        hits_before = rank[last].hits - rank[last - 1].hits;
    if (hits_before * mass > hits * mass_before) atomicOr(falls + blockIdx.x, 1U);  // fewer than 2^31 rows
  }
}

}  // namespace

std::vector<Order::Found> Order::look_up(const std::vector<Query>& queries) const {
  const std::size_t count = queries.size(), warps = order_threads / 32;
  Buffer<Query> asked(count, stream_);
  Buffer<Found> found(count, stream_);
  asked.upload(queries);
  find_boundaries<<<static_cast<unsigned>((count + warps - 1) / warps), order_threads, 0, cuda(stream_)>>>(
      asked.data(), static_cast<long long>(count), keys_.data(), static_cast<long long>(rows_), before_.data(),
      found.data());
  check_launch("finding bins");
  return found.download();
}

std::vector<std::uint32_t> Order::falls(Binning binning, std::size_t first, std::size_t count) const {
  const std::size_t last = first + count, warps = order_threads / 32;  // and the boundaries of all of them
  const Buffer<RowsAndHits> ranks((last - first) * (last + first + 1) / 2, stream_);
  Buffer<std::uint32_t> out(count, stream_);
  out.zero();
  const dim3 blocks(static_cast<unsigned>((last + warps - 1) / warps), static_cast<unsigned>(count));
  find_ranks<<<blocks, order_threads, 0, cuda(stream_)>>>(binning == Binning::mass, static_cast<long long>(first),
                                                          keys_.data(), static_cast<long long>(rows_), before_.data(),
                                                          ranks.data());
  find_falls<<<static_cast<unsigned>(count), order_threads, 0, cuda(stream_)>>>(static_cast<long long>(first),
                                                                                ranks.data(), out.data());
  check_launch("finding rates");
  return out.download();
}

}  // namespace tare::detail::gpu
