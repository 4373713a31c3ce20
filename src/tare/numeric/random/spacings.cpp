// A batch of 32 numbers takes 16 blocks: numbers 0 .. 15 the first halves, 16 .. 31 the second ones, so that no lane
// moves and the numbers do not depend on the length of vectors.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/random/spacings.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/random/philox-inl.hpp"

#ifndef TARE_NUMERIC_SPACINGS_ONCE
#define TARE_NUMERIC_SPACINGS_ONCE
#include <algorithm>
#include <cassert>
#include <cmath>

#include "tare/numeric/random/rng.hpp"
#include "tare/numeric/random/spacings.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
inline constexpr std::size_t half = Spacings::batch / 2;

#if HWY_TARGET == HWY_SCALAR

void draw_spacings(const RandomKey& key, std::size_t length, double* sum, std::uint64_t* word) {
  double before = 0;
  for (std::size_t i = 0; i < length; i += Spacings::batch) {
    for (std::size_t j = 0; j < half; ++j) {
      const auto w =
          random_block(key.seed, key.stream, key.replicate, join(static_cast<std::uint32_t>(i / 2 + j), key.group));
      word[i + j] = join(w[0], w[1]);
      word[i + half + j] = join(w[2], w[3]);
    }
    for (std::size_t j = i; j < i + Spacings::batch; ++j)
      sum[j] = before -= std::log((static_cast<double>(word[j] >> Spacings::spare_bits) + 0.5) * 0x1p-40);
  }
}

#else

using Tag = hn::CappedTag<std::uint64_t, half / 2>;
using RealTag = hn::Rebind<double, Tag>;
using Word = hn::Vec<Tag>;
using Real = hn::Vec<RealTag>;

// -ln(y 2^-40) for 1/2 <= y < 2^40, to 2e-14. With y = 2^e m, 1 <= m < 2, and s = (m - sqrt 2) / (m + sqrt 2):
// ln m = ln(2) / 2 + 2 artanh(s), and 2 artanh(s) / s is the minimax polynomial of degree 5 in s^2.
HWY_INLINE Real minus_log(Real y) {
  const Tag d;
  const RealTag df;
  const Word bits = hn::BitCast(d, y);
  const auto exponent = hn::BitCast(df, hn::Or(hn::ShiftRight<52>(bits), hn::Set(d, 0x4330000000000000U)));
  const auto m = hn::BitCast(df, hn::Or(hn::And(bits, hn::Set(d, 0xFFFFFFFFFFFFFU)), hn::Set(d, 0x3FF0000000000000U)));
  const auto root = hn::Set(df, 1.4142135623730951);
  const auto s = hn::Div(hn::Sub(m, root), hn::Add(m, root));
  const auto z = hn::Mul(s, s);
  const auto z2 = hn::Mul(z, z);
  const auto p01 = hn::MulAdd(z, hn::Set(df, 0.666666666795792521), hn::Set(df, 1.99999999999994719));
  const auto p23 = hn::MulAdd(z, hn::Set(df, 0.285721661458757251), hn::Set(df, 0.399999948918323827));
  const auto p45 = hn::MulAdd(z, hn::Set(df, 0.196080956397530527), hn::Set(df, 0.221742499100774898));
  const auto p = hn::MulAdd(hn::MulAdd(p45, z2, p23), z2, p01);
  const auto octaves =
      hn::Sub(hn::Set(df, 0x1p52 + (1023 + 40 - 1)), exponent);  // and one half, which 2^52 cannot hold
  const auto whole = hn::MulAdd(octaves, hn::Set(df, 0.69314718055994531), hn::Set(df, 0.34657359027997265));
  return hn::NegMulAdd(s, p, whole);
}

// The 64 bits of a number: the upper 40 make a uniform number in (0, 1), and that an exponential one.
HWY_INLINE Real finish(Word low, Word high, std::uint64_t* word) {
  const Tag d;
  const RealTag df;
  const Word bits = joined(d, low, high);
  hn::StoreU(bits, d, word);
  const Word mantissa = hn::Or(hn::ShiftRight<Spacings::spare_bits>(bits), hn::Set(d, 0x4330000000000000U));
  return minus_log(hn::Sub(hn::BitCast(df, mantissa), hn::Set(df, 0x1p52 - 0.5)));
}

// Running sums over the lanes of a vector, in steps of 1, 2, 4 lanes; `before` becomes the total in all lanes.
class LaneSums {
 public:
  LaneSums() {
    const RealTag d;
    HWY_ALIGN std::int64_t index[hn::MaxLanes(d)];
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t step = 1; step <= 4; step *= 2) {
      for (std::int64_t i = 0; i < lanes; ++i) index[i] = i < step ? 0 : i - step;
      (step == 1 ? by1_ : step == 2 ? by2_ : by4_) = hn::SetTableIndices(d, index);
    }
    std::fill(index, index + lanes, lanes - 1);
    last_ = hn::SetTableIndices(d, index);
  }
  HWY_INLINE Real operator()(Real x, Real& before) const {
    const RealTag d;
    if (hn::MaxLanes(d) > 1) x = hn::Add(x, shifted(x, by1_, 1));
    if (hn::MaxLanes(d) > 2) x = hn::Add(x, shifted(x, by2_, 2));
    if (hn::MaxLanes(d) > 4) x = hn::Add(x, shifted(x, by4_, 4));
    const Real out = hn::Add(before, x);
    before = hn::Add(before, hn::TableLookupLanes(x, last_));
    return out;
  }

 private:
  using Indices = decltype(hn::SetTableIndices(RealTag(), static_cast<const std::int64_t*>(nullptr)));
  HWY_INLINE static Real shifted(Real x, Indices by, std::size_t step) {
    const RealTag d;
    return hn::IfThenZeroElse(hn::FirstN(d, step), hn::TableLookupLanes(x, by));
  }
  Indices by1_, by2_, by4_, last_;
};

void draw_spacings(const RandomKey& key, std::size_t length, double* sum, std::uint64_t* word) {
  const Tag d;
  const RealTag df;
  const std::size_t lanes = hn::Lanes(d);
  const PhiloxKeys keys(key.seed);
  const LaneSums sums;
  Real before = hn::Zero(df);
  for (std::size_t i = 0; i < length; i += Spacings::batch) {
    for (std::size_t j = 0; j < half; j += 2 * lanes) {
      PhiloxBlocks<Tag> a{hn::Iota(d, i / 2 + j), hn::Set(d, key.group), hn::Set(d, key.stream),
                          hn::Set(d, key.replicate)};
      PhiloxBlocks<Tag> b{hn::Add(a.c0, hn::Set(d, lanes)), a.c1, a.c2, a.c3};
      philox(d, a, b, keys);
      const std::size_t first = i + j, second = first + lanes;
      hn::StoreU(finish(a.c0, a.c1, word + first), df, sum + first);
      hn::StoreU(finish(b.c0, b.c1, word + second), df, sum + second);
      hn::StoreU(finish(a.c2, a.c3, word + first + half), df, sum + first + half);
      hn::StoreU(finish(b.c2, b.c3, word + second + half), df, sum + second + half);
    }
    for (std::size_t j = i; j < i + Spacings::batch; j += lanes)
      hn::StoreU(sums(hn::LoadU(df, sum + j), before), df, sum + j);
  }
}

#endif

}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric {

HWY_EXPORT(draw_spacings);

void Spacings::draw(const RandomKey& key, std::size_t n) {
  assert(n < first_free_block);
  const std::size_t length = whole_batches(n + 1);
  if (sum_.size() < length) {
    sum_.resize(length);
    word_.resize(length);
  }
  n_ = n;
  HWY_DYNAMIC_DISPATCH(draw_spacings)(key, length, sum_.data(), word_.data());
}

}  // namespace tare::detail::numeric
#endif
