// Vectors along rows of numbers: what the kernels share. Compiled with each of them once per instruction set, so it is
// included after hwy/foreach_target.h and has no `#pragma once` (Highway's convention for -inl files).
#if defined(TARE_NUMERIC_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TARE_NUMERIC_LANES_INL
#undef TARE_NUMERIC_LANES_INL
#else
#define TARE_NUMERIC_LANES_INL
#endif

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of W, filled from numbers of type T (the same, or float32 into float64).
template <class W>
HWY_INLINE hn::Vec<hn::ScalableTag<W>> load(const W* at) {
  return hn::LoadU(hn::ScalableTag<W>(), at);
}
template <class W>
HWY_INLINE hn::Vec<hn::ScalableTag<double>> load(const float* at) requires std::is_same_v<W, double> {
  const hn::ScalableTag<double> d;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, decltype(d)>(), at));
}

// Calls body(vector, mask of real lanes) over a row; what is missing in the last vector is `fill`.
template <class W, class T, class Body>
HWY_INLINE void over(const T* HWY_RESTRICT row, std::size_t k, T fill, const Body& body) {
  const hn::ScalableTag<W> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  const auto all = hn::FirstN(d, lanes);
  for (; j + lanes <= k; j += lanes) body(load<W>(row + j), all);
  if (j == k) return;
#if HWY_MEM_OPS_MIGHT_FAULT
  T tail[HWY_MAX_BYTES / sizeof(W)];
  for (std::size_t l = 0; l < lanes; ++l) tail[l] = j + l < k ? row[j + l] : fill;
  body(load<W>(tail), hn::FirstN(d, k - j));
#else
  const hn::Rebind<T, decltype(d)> from;
  const auto there = hn::FirstN(from, k - j);
  const auto tail = hn::IfThenElse(there, hn::MaskedLoad(there, from, row + j), hn::Set(from, fill));
  if constexpr (std::is_same_v<T, W>)
    body(tail, hn::FirstN(d, k - j));
  else
    body(hn::PromoteTo(d, tail), hn::FirstN(d, k - j));
#endif
}

// op of every number; what is missing in the last vector is 1, so that bits do not depend on being in the tail.
template <class Op>
HWY_INLINE void map_in_place(double* HWY_RESTRICT x, std::size_t n, const Op& op) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes) hn::StoreU(op(hn::LoadU(d, x + j)), d, x + j);
  if (j == n) return;
  double tail[HWY_MAX_BYTES / sizeof(double)];
  for (std::size_t l = 0; l < lanes; ++l) tail[l] = j + l < n ? x[j + l] : 1.0;
  hn::StoreU(op(hn::LoadU(d, tail)), d, tail);
  for (std::size_t l = 0; j + l < n; ++l) x[j + l] = tail[l];
}

// In double precision.
HWY_INLINE double sum_of_lanes(hn::Vec<hn::ScalableTag<double>> v) {
  return hn::GetLane(hn::SumOfLanes(hn::ScalableTag<double>(), v));
}
#if HWY_TARGET != HWY_SCALAR
HWY_INLINE double sum_of_lanes(hn::Vec<hn::ScalableTag<float>> v) {
  const hn::ScalableTag<double> d;
  const hn::Half<hn::ScalableTag<float>> half;
  return sum_of_lanes(hn::Add(hn::PromoteTo(d, hn::LowerHalf(half, v)), hn::PromoteTo(d, hn::UpperHalf(half, v))));
}
#endif

// Of at least one vector.
template <class T>
HWY_INLINE T largest_of_many(const T* row, std::size_t k) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::LoadU(d, row + k - lanes), b = a, c = a, e = a;  // the last vector overlaps the one before
  std::size_t j = 0;
  for (; j + 4 * lanes <= k; j += 4 * lanes) {
    a = hn::Max(a, hn::LoadU(d, row + j));
    b = hn::Max(b, hn::LoadU(d, row + j + lanes));
    c = hn::Max(c, hn::LoadU(d, row + j + 2 * lanes));
    e = hn::Max(e, hn::LoadU(d, row + j + 3 * lanes));
  }
  for (; j + lanes <= k; j += lanes) a = hn::Max(a, hn::LoadU(d, row + j));
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(a, b), hn::Max(c, e))));
}

template <class T>
HWY_INLINE T largest(const T* row, std::size_t k) {
  return k < hn::Lanes(hn::ScalableTag<T>()) ? *std::max_element(row, row + k) : largest_of_many(row, k);
}

// exp(x) for x <= 0, good to 1e-7 or 1e-15, and never below exp(-87) or exp(-708): for sums that cannot see so little.
// x = n ln 2 + r, |r| <= ln 2 / 2; adding 1.5 times 2^23 or 2^52 rounds to the integer n and leaves it in the low bits.
// The polynomials are minimax ones for the relative error, with exp(0) = 1 and slope 1 kept.
HWY_INLINE hn::Vec<hn::ScalableTag<float>> exp_negative(hn::Vec<hn::ScalableTag<float>> x) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> bits;
  const auto magic = hn::Set(d, 12582912.0F);
  x = hn::Max(x, hn::Set(d, -87.0F));
  const auto t = hn::MulAdd(x, hn::Set(d, 1.44269504F), magic), n = hn::Sub(t, magic);
  const auto r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4F), hn::NegMulAdd(n, hn::Set(d, 0.693359375F), x));
  const auto r2 = hn::Mul(r, r);
  const auto c23 = hn::MulAdd(hn::Set(d, 0.16666520F), r, hn::Set(d, 0.49999993F));
  const auto c45 = hn::MulAdd(hn::Set(d, 0.0083687451F), r, hn::Set(d, 0.041668391F));
  const auto high = hn::MulAdd(hn::MulAdd(hn::Set(d, 0.0013814539F), r2, c45), r2, c23);
  const auto p = hn::MulAdd(high, r2, hn::Add(r, hn::Set(d, 1.0F)));
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, p), hn::ShiftLeft<23>(hn::BitCast(bits, t))));
}
HWY_INLINE hn::Vec<hn::ScalableTag<double>> exp_negative(hn::Vec<hn::ScalableTag<double>> x) {
  const hn::ScalableTag<double> d;
  const hn::RebindToSigned<decltype(d)> bits;
  const auto magic = hn::Set(d, 0x1.8p52);
  x = hn::Max(x, hn::Set(d, -708.0));
  const auto t = hn::MulAdd(x, hn::Set(d, 1.4426950408889634), magic), n = hn::Sub(t, magic);
  const auto r =
      hn::NegMulAdd(n, hn::Set(d, 5.7699990475432854e-08), hn::NegMulAdd(n, hn::Set(d, 0.6931471228599548), x));
  const auto r2 = hn::Mul(r, r), r4 = hn::Mul(r2, r2);
  const auto c23 = hn::MulAdd(hn::Set(d, 0.1666666666664829), r, hn::Set(d, 0.5));
  const auto c45 = hn::MulAdd(hn::Set(d, 0.008333333353729397), r, hn::Set(d, 0.04166666666665136));
  const auto c67 = hn::MulAdd(hn::Set(d, 0.00019841208732536384), r, hn::Set(d, 0.0013888888905881542));
  const auto c89 = hn::MulAdd(hn::Set(d, 2.762511557828763e-06), r, hn::Set(d, 2.4801536388690766e-05));
  const auto low = hn::MulAdd(c45, r2, c23);
  const auto high = hn::MulAdd(hn::MulAdd(hn::Set(d, 2.761380686153829e-07), r2, c89), r2, c67);
  const auto p = hn::MulAdd(hn::MulAdd(high, r4, low), r2, hn::Add(r, hn::Set(d, 1.0)));
  return hn::BitCast(d, hn::Add(hn::BitCast(bits, p), hn::ShiftLeft<52>(hn::BitCast(bits, t))));
}

}  // namespace
}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
