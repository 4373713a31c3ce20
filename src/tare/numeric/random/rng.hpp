// Random numbers as a function of their place: Philox4x32-10, a bijection of counters under a
// key (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"). The key is the seed; the
// counter is (block, stream, replicate). So replicate r draws the same numbers whoever runs it,
// in whatever order.
#pragma once

#include <Random123/philox.h>

#include <array>
#include <cstdint>
#include <limits>

namespace tare::detail::numeric {

// Four 32-bit words: block number `block` of a stream.
inline std::array<std::uint32_t, 4> random_block(std::uint64_t seed, std::uint32_t stream, std::uint32_t replicate,
                                                 std::uint64_t block) {
  const r123::Philox4x32::ctr_type counter{
      {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), stream, replicate}};
  const r123::Philox4x32::key_type key{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const auto out = r123::Philox4x32()(counter, key);
  return {out[0], out[1], out[2], out[3]};
}

inline std::uint64_t join(std::uint32_t low, std::uint32_t high) {
  return static_cast<std::uint64_t>(high) << 32 | low;
}

// In (0, 1), never 0 or 1: the middle of one of 2^52 equal cells.
inline double to_uniform(std::uint64_t word) { return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52; }

// The words of one stream one after another. A std::uniform_random_bit_generator of 64 bits.
class Rng {
 public:
  using result_type = std::uint64_t;

  Rng(std::uint64_t seed, std::uint32_t stream, std::uint32_t replicate, std::uint64_t block = 0)
      : seed_(seed), block_(block), stream_(stream), replicate_(replicate) {}

  std::uint32_t u32() {
    if (used_ == 4) {
      words_ = random_block(seed_, stream_, replicate_, block_++);
      used_ = 0;
    }
    return words_[used_++];
  }
  std::uint64_t u64() {  // two words of 32 bits, the low one first
    const std::uint32_t low = u32();
    return join(low, u32());
  }
  double uniform() { return to_uniform(u64()); }

  result_type operator()() { return u64(); }
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

 private:
  std::uint64_t seed_;
  std::uint64_t block_;  // the next one
  std::uint32_t stream_;
  std::uint32_t replicate_;
  std::array<std::uint32_t, 4> words_{};
  std::uint32_t used_ = 4;
};

// Many blocks of a stream at once, in vectors: the numbers of random_block (blocks.cpp).
inline constexpr std::size_t blocks_at_once = 16;

// Words 0 and 1 of block first + i, joined, become low[i], and words 2 and 3 high[i], i < blocks_at_once. The last
// block is below 2^32.
void random_blocks(std::uint64_t seed, std::uint32_t stream, std::uint32_t replicate, std::uint32_t first,
                   std::uint64_t* low, std::uint64_t* high);

}  // namespace tare::detail::numeric
