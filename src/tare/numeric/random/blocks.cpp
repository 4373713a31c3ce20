#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/random/blocks.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/random/philox-inl.hpp"

#ifndef TARE_NUMERIC_BLOCKS_ONCE
#define TARE_NUMERIC_BLOCKS_ONCE
#include "tare/numeric/random/blocks.hpp"
#include "tare/numeric/random/rng.hpp"

namespace tare::inner::numeric {

struct BlockPlace {
  std::uint64_t seed, block;
  std::uint32_t stream, first;
};

}  // namespace tare::inner::numeric
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::inner::numeric::HWY_NAMESPACE {

// The first replicates, as many as fill pairs of vectors. Returns how many.
#if HWY_TARGET == HWY_SCALAR

std::size_t fill_blocks(const BlockPlace&, std::size_t, std::uint64_t*, std::uint64_t*) { return 0; }

#else

std::size_t fill_blocks(const BlockPlace& at, std::size_t count, std::uint64_t* low, std::uint64_t* high) {
  using Tag = hn::CappedTag<std::uint64_t, 8>;
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  const PhiloxKeys keys(at.seed);
  std::size_t r = 0;
  for (; r + 2 * lanes <= count; r += 2 * lanes) {
    PhiloxBlocks<Tag> a{hn::Set(d, at.block), hn::Set(d, at.block >> 32), hn::Set(d, at.stream),
                        hn::Iota(d, at.first + r)};
    PhiloxBlocks<Tag> b{a.c0, a.c1, a.c2, hn::Add(a.c3, hn::Set(d, lanes))};
    philox(d, a, b, keys);
    hn::StoreU(joined(d, a.c0, a.c1), d, low + r);
    hn::StoreU(joined(d, b.c0, b.c1), d, low + r + lanes);
    hn::StoreU(joined(d, a.c2, a.c3), d, high + r);
    hn::StoreU(joined(d, b.c2, b.c3), d, high + r + lanes);
  }
  return r;
}

#endif

}  // namespace tare::inner::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::inner::numeric {

HWY_EXPORT(fill_blocks);

void random_blocks(std::uint64_t seed, std::uint32_t stream, std::uint32_t first, std::uint64_t block,
                   std::size_t count, std::uint64_t* low, std::uint64_t* high) {
  const BlockPlace at{.seed = seed, .block = block, .stream = stream, .first = first};
  for (std::size_t r = HWY_DYNAMIC_DISPATCH(fill_blocks)(at, count, low, high); r < count; ++r) {
    const auto words = random_block(seed, stream, first + static_cast<std::uint32_t>(r), block);
    low[r] = join(words[0], words[1]);
    high[r] = join(words[2], words[3]);
  }
}

}  // namespace tare::inner::numeric
#endif
