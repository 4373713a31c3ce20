// One block of many replicates, in vectors: the numbers of random_block (rng.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tare::inner::numeric {

// Words 0 and 1 of replicate first + r, joined, become low[r], and words 2 and 3 high[r], r < count.
void random_blocks(std::uint64_t seed, std::uint32_t stream, std::uint32_t first, std::uint64_t block,
                   std::size_t count, std::uint64_t* low, std::uint64_t* high);

}  // namespace tare::inner::numeric
