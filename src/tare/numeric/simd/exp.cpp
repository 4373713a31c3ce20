#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/simd/exp.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

#ifndef TARE_NUMERIC_EXP_ONCE
#define TARE_NUMERIC_EXP_ONCE
#include <algorithm>
#include <cstddef>

#include "tare/numeric/simd/exp.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::inner::numeric::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void exp_vectors(double* x, std::size_t n) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(hn::Exp(d, hn::LoadU(d, x + i)), d, x + i);
  // the tail goes through the same instructions: its bits must not depend on being the tail
  HWY_ALIGN double tail[hn::MaxLanes(d)] = {};
  std::copy(x + i, x + n, tail);
  hn::Store(hn::Exp(d, hn::Load(d, tail)), d, tail);
  std::copy(tail, tail + (n - i), x + i);
}

}  // namespace tare::inner::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::inner::numeric {

HWY_EXPORT(exp_vectors);

void exp_all(std::span<double> x) { HWY_DYNAMIC_DISPATCH(exp_vectors)(x.data(), x.size()); }

}  // namespace tare::inner::numeric
#endif
