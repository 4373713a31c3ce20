#include <algorithm>

#include "tare/gpu/merge.cuh"
#include "tare/gpu/order.hpp"
#include "tare/gpu/sort.cuh"
#include "tare/numeric/exact/fixed.hpp"

namespace tare::detail::gpu {
namespace {

using numeric::u128;

// Sorted keys: the bits of a score, then the hit.
constexpr int order_threads = 256, keys_of_thread = 8, keys_of_block = order_threads * keys_of_thread, words = 4;
constexpr std::uint32_t not_counted = 0x7fffffffU;
constexpr int key_bits = 31;

__device__ float score_of(std::uint32_t key) { return __uint_as_float(key >> 1U); }
// numeric::to_fixed
__device__ std::uint64_t fixed_of(std::uint32_t key) {
  return static_cast<std::uint64_t>(__double_as_longlong(static_cast<double>(score_of(key)) * 0x1p46 + 0x1p52)) &
         0xFFFFFFFFFFFFFULL;
}

__global__ void make_keys(const float* score, const std::uint8_t* hit, long long n, std::uint32_t* keys,
                          unsigned long long* first_bad, unsigned long long* left_out) {
  unsigned count = 0;
  for (long long i = static_cast<long long>(blockIdx.x) * order_threads + threadIdx.x; i < n;
       i += static_cast<long long>(gridDim.x) * order_threads) {
    const float s = fabsf(score[i]);  // -0 is 0
    const bool ignored = hit[i] == 2;
    if (!ignored && (!(score[i] >= 0 && s <= 1) || hit[i] > 1))
      atomicMin(first_bad, static_cast<unsigned long long>(i));
    keys[i] = ignored ? not_counted : __float_as_uint(s) << 1U | (hit[i] & 1U);
    count += ignored;
  }
  count = __reduce_add_sync(~0U, count);
  if ((threadIdx.x & 31U) == 0 && count > 0) atomicAdd(left_out, count);
}

struct BlockCount {
  unsigned hits, groups;
};

__device__ bool begins_group(const std::uint32_t* keys, long long i) {
  return i == 0 || keys[i] >> 1U != keys[i - 1] >> 1U;
}

// Hits, groups that begin, and fixed scores of each block.
__global__ void __launch_bounds__(order_threads)
    count_blocks(const std::uint32_t* keys, long long rows, std::uint64_t* counts) {
  __shared__ std::uint64_t of_warp[order_threads / 32][3];
  std::uint64_t hits = 0, groups = 0, score = 0;
  const long long from = static_cast<long long>(blockIdx.x) * keys_of_block;
  for (int t = 0; t < keys_of_thread; ++t) {
    const long long i = from + t * order_threads + threadIdx.x;
    if (i >= rows) break;
    const std::uint32_t key = keys[i];
    hits += key & 1U;
    groups += begins_group(keys, i);
    score += fixed_of(key);
  }
  hits = warp_sum(hits);
  groups = warp_sum(groups);
  score = warp_sum(score);
  if ((threadIdx.x & 31U) == 0) {
    std::uint64_t* to = of_warp[threadIdx.x >> 5U];
    to[0] = hits;
    to[1] = groups;
    to[2] = score;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < order_threads / 32; ++w) {
    hits += of_warp[w][0];
    groups += of_warp[w][1];
    score += of_warp[w][2];
  }
  std::uint64_t* to = counts + static_cast<long long>(blockIdx.x) * words;
  to[0] = hits;
  to[1] = groups;
  to[2] = score;
  to[3] = 0;
}

struct Running {
  std::uint64_t hits = 0, groups = 0;
  u128 score = 0;
  __device__ void add(const Running& o) {
    hits += o.hits;
    groups += o.groups;
    score += o.score;
  }
};

// Counts become totals of all blocks before, with those of all rows at the end. One block of 1024 threads.
__global__ void __launch_bounds__(1024) run_totals(std::uint64_t* counts, long long blocks) {
  __shared__ Running part[1024];
  const long long each = (blocks + 1023) / 1024, from = threadIdx.x * each;
  const long long to = from + each < blocks ? from + each : blocks;
  Running sum;
  for (long long b = from; b < to; ++b)
    sum.add({counts[b * words], counts[b * words + 1], static_cast<u128>(counts[b * words + 2])});
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    Running before;
    for (auto& p : part) {
      const Running here = p;
      p = before;
      before.add(here);
    }
    std::uint64_t* end = counts + blocks * words;
    end[0] = before.hits;
    end[1] = before.groups;
    end[2] = static_cast<std::uint64_t>(before.score);
    end[3] = static_cast<std::uint64_t>(before.score >> 64U);
  }
  __syncthreads();
  Running before = part[threadIdx.x];
  for (long long b = from; b < to; ++b) {
    std::uint64_t* at = counts + b * words;
    const Running here{at[0], at[1], static_cast<u128>(at[2])};
    at[0] = before.hits;
    at[1] = before.groups;
    at[2] = static_cast<std::uint64_t>(before.score);
    at[3] = static_cast<std::uint64_t>(before.score >> 64U);
    before.add(here);
  }
}

// Each group: its score, the rows up to its end and the hits among them.
__global__ void __launch_bounds__(order_threads)
    write_groups(const std::uint32_t* keys, long long rows, const std::uint64_t* before, float* score,
                 std::uint64_t* through, std::uint64_t* hits) {
  __shared__ BlockCount of_warp[order_threads / 32];
  const int lane = static_cast<int>(threadIdx.x & 31U), warp = static_cast<int>(threadIdx.x >> 5U);
  const std::uint64_t* block = before + static_cast<long long>(blockIdx.x) * words;
  std::uint64_t hits_before = block[0], groups_before = block[1];
  const long long from = static_cast<long long>(blockIdx.x) * keys_of_block;
  for (int t = 0; t < keys_of_thread; ++t) {
    const long long i = from + t * order_threads + threadIdx.x;
    const bool there = i < rows, begins = there && begins_group(keys, i);
    const bool hit = there && (keys[i] & 1U) != 0;
    const unsigned begin_bits = __ballot_sync(~0U, begins), hit_bits = __ballot_sync(~0U, hit);
    __syncthreads();
    if (lane == 0) of_warp[warp] = {static_cast<unsigned>(__popc(hit_bits)), static_cast<unsigned>(__popc(begin_bits))};
    __syncthreads();
    std::uint64_t h = hits_before, g = groups_before;
    for (int w = 0; w < order_threads / 32; ++w) {
      if (w < warp) {
        h += of_warp[w].hits;
        g += of_warp[w].groups;
      }
      hits_before += of_warp[w].hits;
      groups_before += of_warp[w].groups;
    }
    const unsigned up_to_here = lane == 31 ? ~0U : (2U << lane) - 1;
    h += static_cast<unsigned>(__popc(hit_bits & up_to_here));
    g += static_cast<unsigned>(__popc(begin_bits & up_to_here));
    if (begins) score[g - 1] = score_of(keys[i]);
    if (there && (i + 1 == rows || begins_group(keys, i + 1))) {
      through[g - 1] = static_cast<std::uint64_t>(i + 1);
      hits[g - 1] = h;
    }
  }
}

long long blocks_of(std::size_t n) { return static_cast<long long>((n + keys_of_block - 1) / keys_of_block); }

}  // namespace

Order::Order(std::size_t n, Stream stream)
    : stream_(stream), n_(n), keys_(n, stream), before_(static_cast<std::size_t>(blocks_of(n) + 1) * words, stream) {}

Result<Order> Order::of(const float* score, const std::uint8_t* hit, std::size_t n, Stream stream) {
  return guarded([&]() -> Result<Order> {
    if (n == 0) return no_rows();
    if (n >= most_sorted) return unsupported("a GPU orders fewer than 2^31 scores", "give fewer rows");
    Order out(n, stream);
    Buffer<unsigned long long> notes(2, stream);  // the first bad row, rows left out
    notes.upload({~0ULL, 0});
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>((n + order_threads - 1) / order_threads, 4096));
    make_keys<<<blocks, order_threads, 0, cuda(stream)>>>(score, hit, static_cast<long long>(n), out.keys_.data(),
                                                          notes.data(), notes.data() + 1);
    check_launch("making keys");
    sort_keys(out.keys_, key_bits, stream);
    const auto noted = notes.download();
    if (noted[0] != ~0ULL) {
      const auto row = static_cast<std::size_t>(noted[0]);
      float value = 0;
      copy_to_host(&value, score + row, sizeof value, stream);
      return Error{.code = Errc::bad_input,
                   .what = "not in [0, 1], or its hit is not 0 or 1",
                   .place = {.array = "confidences", .row = row},
                   .value = std::to_string(value),
                   .remedy = "scores are probabilities; hits are 0 or 1, and 2 where a row does not count"};
    }
    out.rows_ = n - static_cast<std::size_t>(noted[1]);
    if (out.rows_ == 0) return no_rows();
    const auto rows = static_cast<long long>(out.rows_), count = blocks_of(out.rows_);
    count_blocks<<<static_cast<unsigned>(count), order_threads, 0, cuda(stream)>>>(out.keys_.data(), rows,
                                                                                   out.before_.data());
    run_totals<<<1, 1024, 0, cuda(stream)>>>(out.before_.data(), count);
    check_launch("counting");
    return Result<Order>(std::move(out));
  });
}

Result<numeric::Ordered> Order::groups() const {
  return guarded([&]() -> Result<numeric::Ordered> {
    std::uint64_t total[words];
    const long long blocks = blocks_of(rows_);
    copy_to_host(total, before_.data() + blocks * words, sizeof total, stream_);
    const std::size_t count = total[1];
    const Buffer<float> score(count, stream_);
    const Buffer<std::uint64_t> through(count, stream_), hits(count, stream_);
    write_groups<<<static_cast<unsigned>(blocks), order_threads, 0, cuda(stream_)>>>(
        keys_.data(), static_cast<long long>(rows_), before_.data(), score.data(), through.data(), hits.data());
    check_launch("collecting groups");
    const auto scores = score.download();
    auto mass = through.download(), marked = hits.download();
    for (std::size_t g = count; g-- > 1;) {
      mass[g] -= mass[g - 1];
      marked[g] -= marked[g - 1];
    }
    return numeric::Ordered(std::vector<double>(scores.begin(), scores.end()), mass, marked);
  });
}

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
