// Many blocks of a stream at once, in vectors: the numbers of random_block (rng.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tare::detail::numeric {

inline constexpr std::size_t blocks_at_once = 16;

// Words 0 and 1 of block first + i, joined, become low[i], and words 2 and 3 high[i], i < blocks_at_once. The last
// block is below 2^32.
void random_blocks(std::uint64_t seed, std::uint32_t stream, std::uint32_t replicate, std::uint32_t first,
                   std::uint64_t* low, std::uint64_t* high);

}  // namespace tare::detail::numeric
