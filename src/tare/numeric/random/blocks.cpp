#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/random/blocks.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/random/philox-inl.hpp"

#ifndef TARE_NUMERIC_BLOCKS_ONCE
#define TARE_NUMERIC_BLOCKS_ONCE
#include "tare/numeric/random/rng.hpp"

namespace tare::detail::numeric {

struct BlockPlace {
  std::uint64_t seed;
  std::uint32_t stream, replicate, first;
};

}  // namespace tare::detail::numeric
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void fill_blocks(const BlockPlace& at, std::uint64_t* low, std::uint64_t* high) {
  for (std::size_t i = 0; i < blocks_at_once; ++i) {
    const auto words = random_block(at.seed, at.stream, at.replicate, at.first + i);
    low[i] = join(words[0], words[1]);
    high[i] = join(words[2], words[3]);
  }
}

#else

void fill_blocks(const BlockPlace& at, std::uint64_t* low, std::uint64_t* high) {
  using Tag = hn::CappedTag<std::uint64_t, blocks_at_once / 2>;
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  const PhiloxKeys keys(at.seed);
  for (std::size_t i = 0; i < blocks_at_once; i += 2 * lanes) {
    PhiloxBlocks<Tag> a{hn::Iota(d, at.first + i), hn::Zero(d), hn::Set(d, at.stream), hn::Set(d, at.replicate)};
    PhiloxBlocks<Tag> b{hn::Add(a.c0, hn::Set(d, lanes)), a.c1, a.c2, a.c3};
    philox(d, a, b, keys);
    hn::StoreU(joined(d, a.c0, a.c1), d, low + i);
    hn::StoreU(joined(d, b.c0, b.c1), d, low + i + lanes);
    hn::StoreU(joined(d, a.c2, a.c3), d, high + i);
    hn::StoreU(joined(d, b.c2, b.c3), d, high + i + lanes);
  }
}

#endif

}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric {

HWY_EXPORT(fill_blocks);

void random_blocks(std::uint64_t seed, std::uint32_t stream, std::uint32_t replicate, std::uint32_t first,
                   std::uint64_t* low, std::uint64_t* high) {
  HWY_DYNAMIC_DISPATCH(fill_blocks)
  ({.seed = seed, .stream = stream, .replicate = replicate, .first = first}, low, high);
}

}  // namespace tare::detail::numeric
#endif
