#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/simd/logit_rows.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/cache_control.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_NUMERIC_LOGIT_ROWS_ONCE
#define TARE_NUMERIC_LOGIT_ROWS_ONCE

#include <algorithm>
#include <cmath>

#include "tare/numeric/simd/tempered.hpp"

#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {
namespace {

template <class W>
struct Sums {
  hn::Vec<hn::ScalableTag<W>> s0, s1, s2;
};
template <class W, class V>
HWY_INLINE void add(V a, V e, Sums<W>& sums) {
  sums.s0 = hn::Add(sums.s0, e);
  const V ae = hn::Mul(a, e);
  sums.s1 = hn::Add(sums.s1, ae);
  sums.s2 = hn::MulAdd(a, ae, sums.s2);
}

template <class W, class T>
HWY_INLINE RowMoments moments(const T* HWY_RESTRICT row, std::size_t k, double v) {
  const hn::ScalableTag<W> d;
  const std::size_t lanes = hn::Lanes(d);
  const T top = largest(row, k);
  const auto m = hn::Set(d, static_cast<W>(top)), vv = hn::Set(d, static_cast<W>(v));
  const auto zero = hn::Zero(d);
  Sums<W> even{zero, zero, zero}, odd = even;
  std::size_t j = 0;
  for (; j + 2 * lanes <= k; j += 2 * lanes) {
    hwy::Prefetch(row + k + j);  // the next row, which would otherwise be waited for
    hwy::Prefetch(row + k + j + lanes);
    const auto a = hn::Sub(load<W>(row + j), m), b = hn::Sub(load<W>(row + j + lanes), m);
    add<W>(a, exp_negative(hn::Mul(vv, a)), even);
    add<W>(b, exp_negative(hn::Mul(vv, b)), odd);
  }
  over<W>(row + j, k - j, top, [&](auto z, auto real) HWY_ATTR {
    const auto a = hn::Sub(z, m);
    add<W>(a, hn::IfThenElseZero(real, exp_negative(hn::Mul(vv, a))), even);
  });
  const auto sum = [&](auto x, auto y)
                       HWY_ATTR { return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, hn::Add(x, y)))); };
  return {sum(even.s0, odd.s0), sum(even.s1, odd.s1), sum(even.s2, odd.s2), static_cast<double>(top)};
}

// Range exactly; mean and variance in the precision of the input: they only start a search.
template <class T>
HWY_INLINE RowShape shape(const T* HWY_RESTRICT row, std::size_t k) {
  const hn::ScalableTag<T> d;
  const auto base = hn::Set(d, row[0]);
  auto low = base, high = base, s1 = hn::Zero(d), s2 = s1;
  over<T>(row, k, row[0], [&](auto z, auto) HWY_ATTR {
    low = hn::Min(low, z);
    high = hn::Max(high, z);
    const auto a = hn::Sub(z, base);
    s1 = hn::Add(s1, a);
    s2 = hn::MulAdd(a, a, s2);
  });
  const auto n = static_cast<double>(k);
  const double mean = static_cast<double>(hn::GetLane(hn::SumOfLanes(d, s1))) / n;
  const double square = static_cast<double>(hn::GetLane(hn::SumOfLanes(d, s2))) / n;
  return {static_cast<double>(hn::GetLane(hn::MinOfLanes(d, low))),
          static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, high))), mean + static_cast<double>(row[0]),
          std::max(0.0, square - mean * mean)};
}

void MomentsF32(const float* rows, std::size_t n, std::size_t k, double v, RowMoments* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = moments<float>(rows + i * k, k, v);
}
void MomentsMixed(const float* rows, std::size_t n, std::size_t k, double v, RowMoments* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = moments<double>(rows + i * k, k, v);
}
void MomentsF64(const double* rows, std::size_t n, std::size_t k, double v, RowMoments* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = moments<double>(rows + i * k, k, v);
}
void ShapeF32(const float* rows, std::size_t n, std::size_t k, RowShape* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = shape(rows + i * k, k);
}
void ShapeF64(const double* rows, std::size_t n, std::size_t k, RowShape* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = shape(rows + i * k, k);
}

void Logarithms(double* x, std::size_t n) {
  const hn::ScalableTag<double> d;
  map_in_place(x, n, [&](auto v) HWY_ATTR { return hn::Log(d, v); });
}

void SoftmaxInPlace(double* rows, std::size_t n, std::size_t k, double* log_normaliser) {
  const hn::ScalableTag<double> d;
  for (std::size_t i = 0; i < n; ++i) {
    double* row = rows + i * k;
    const double top = largest(row, k);
    const auto m = hn::Set(d, top);
    map_in_place(row, k, [&](auto x) HWY_ATTR { return hn::Exp(d, hn::Sub(x, m)); });
    auto total = hn::Zero(d);
    over<double>(row, k, 0.0, [&](auto e, auto) HWY_ATTR { total = hn::Add(total, e); });
    const double sum = hn::GetLane(hn::SumOfLanes(d, total));
    if (log_normaliser) log_normaliser[i] = top + std::log(sum);
    const auto inverse = hn::Set(d, 1 / sum);
    map_in_place(row, k, [&](auto e) HWY_ATTR { return hn::Mul(e, inverse); });
  }
}

}  // namespace
}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric {

HWY_EXPORT(MomentsF32);
HWY_EXPORT(MomentsMixed);
HWY_EXPORT(MomentsF64);
HWY_EXPORT(ShapeF32);
HWY_EXPORT(ShapeF64);
HWY_EXPORT(Logarithms);
HWY_EXPORT(SoftmaxInPlace);

void moments_of_rows(const float* rows, std::size_t n, std::size_t k, double v, RowSums sums, RowMoments* out) {
  if (sums == RowSums::float32)
    HWY_DYNAMIC_DISPATCH(MomentsF32)(rows, n, k, v, out);
  else
    HWY_DYNAMIC_DISPATCH(MomentsMixed)(rows, n, k, v, out);
}
void moments_of_rows(const double* rows, std::size_t n, std::size_t k, double v, RowSums, RowMoments* out) {
  HWY_DYNAMIC_DISPATCH(MomentsF64)(rows, n, k, v, out);
}
void shapes_of_rows(const float* rows, std::size_t n, std::size_t k, RowShape* out) {
  HWY_DYNAMIC_DISPATCH(ShapeF32)(rows, n, k, out);
}
void shapes_of_rows(const double* rows, std::size_t n, std::size_t k, RowShape* out) {
  HWY_DYNAMIC_DISPATCH(ShapeF64)(rows, n, k, out);
}
void take_logarithms(std::span<double> x) { HWY_DYNAMIC_DISPATCH(Logarithms)(x.data(), x.size()); }

void softmax_in_place(std::span<double> rows, std::size_t k, double* log_normaliser) {
  HWY_DYNAMIC_DISPATCH(SoftmaxInPlace)(rows.data(), rows.size() / k, k, log_normaliser);
}

}  // namespace tare::detail::numeric
#endif
