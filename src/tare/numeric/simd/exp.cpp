#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/simd/exp.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_NUMERIC_EXP_ONCE
#define TARE_NUMERIC_EXP_ONCE
#include <cstddef>

#include "tare/numeric/simd/exp.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {

void exp_vectors(double* x, std::size_t n) {
  const hn::ScalableTag<double> d;
  map_in_place(x, n, [&](auto v) HWY_ATTR { return hn::Exp(d, v); });
}

}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric {

HWY_EXPORT(exp_vectors);

void exp_all(std::span<double> x) { HWY_DYNAMIC_DISPATCH(exp_vectors)(x.data(), x.size()); }

}  // namespace tare::detail::numeric
#endif
