#include "tare/gpu/judged.hpp"

#include <algorithm>
#include <bit>

#include "tare/gpu/launch.cuh"
#include "tare/gpu/sort.cuh"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::gpu {
namespace {

// A key is 31 bits that sort like the score, then the hit. Scores stand for themselves. So do odds against the top
// label, which are many more numbers than there are scores near 1: they are counted down from 2^127.
constexpr std::uint32_t certain = 0x7f000000U, even = 0x3f800000U;  // no odds against; odds of 1
constexpr std::uint32_t left_out = ~0U;
constexpr int judged_threads = 256;

struct JudgeWork {
  Source s;
  Reduced found;
  bool logits, second, wide;

  __device__ std::uint32_t score_bits(long long i) const {
    if (logits) {
      const float rest = found.rest[i];
      if (!second) return certain - __float_as_uint(rest);
      const std::uint32_t bits = __float_as_uint(fminf(rest, 1));
      return found.argmax[i] == 1 ? certain - bits : bits;
    }
    if (!second) return __float_as_uint(fabsf(found.score[i]));
    const float p =
        wide ? Float32::one(s.row(i) + Float32::size, s.brain) : Float16::one(s.row(i) + Float16::size, s.brain);
    return __float_as_uint(fabsf(p));  // -0 is 0
  }
  __device__ std::uint32_t key(long long i) const {
    const unsigned hit = found.hit[i];
    if (hit == 2) return left_out;
    const bool mark = second ? (hit == 1) == (found.argmax[i] == 1) : hit == 1;
    return score_bits(i) << 1U | static_cast<unsigned>(mark);
  }
};

__global__ void __launch_bounds__(judged_threads) make_judged_keys(const JudgeWork work, std::uint32_t* keys) {
  for (long long i = static_cast<long long>(blockIdx.x) * judged_threads + threadIdx.x; i < work.s.n;
       i += static_cast<long long>(gridDim.x) * judged_threads)
    keys[i] = work.key(i);
}

double score_of_bits(std::uint32_t bits, bool logits, bool second) {
  const auto number = [](std::uint32_t b) { return static_cast<double>(std::bit_cast<float>(b)); };
  if (!logits) return number(bits);
  if (second && bits < even) return number(bits) / (1 + number(bits));
  return 1 / (1 + number(certain - bits));
}

}  // namespace

Result<JudgedRows> judged_rows(const DeviceRows& rows, const Reduced& found, Judged by, bool ascending, Stream stream) {
  return guarded([&]() -> Result<JudgedRows> {
    JudgedRows out;
    if (rows.n == 0) return out;
    const bool logits = rows.kind == Kind::logits, second = by == Judged::second;
    Buffer<std::uint32_t> keys(rows.n, stream);
    const JudgeWork work{source_of(rows), found, logits, second, rows.type == Type::float32};
    const std::size_t blocks = std::min<std::size_t>((rows.n + judged_threads - 1) / judged_threads, 4096);
    make_judged_keys<<<static_cast<unsigned>(blocks), judged_threads, 0, cuda(stream)>>>(work, keys.data());
    check_launch("making keys");
    if (ascending && rows.n < most_sorted) sort_keys(keys, 32, stream);
    std::vector<std::uint32_t> key = keys.download();
    key.erase(std::remove(key.begin(), key.end(), left_out), key.end());
    out.score.resize(key.size());
    out.hit.resize(key.size());
    constexpr std::size_t chunk = std::size_t{1} << 16;
    numeric::parallel_for((key.size() + chunk - 1) / chunk, numeric::hardware_threads(), [&](std::size_t c) {
      for (std::size_t i = c * chunk; i < std::min(key.size(), (c + 1) * chunk); ++i) {
        out.score[i] = score_of_bits(key[i] >> 1U, logits, second);
        out.hit[i] = static_cast<std::uint8_t>(key[i] & 1U);
      }
    });
    return out;
  });
}

}  // namespace tare::detail::gpu
