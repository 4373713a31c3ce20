#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/order/score_cells.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include <algorithm>
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#include "tare/numeric/order/score_cells.hpp"

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::score_cells::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

HWY_INLINE auto cell_of(V score) {
  const hn::RebindToUnsigned<D> du;
  const V p = hn::Abs(score);
  const V q = hn::Min(p, hn::Sub(hn::Set(D(), 1.0), p));
  // Below smallest_q: the last cell before it.
  const V at_least = hn::Max(q, hn::Set(D(), std::bit_cast<double>((coarse_base + 1) << coarse_shift)));
  const auto coarse = hn::Sub(hn::ShiftRight<coarse_shift>(hn::BitCast(du, at_least)), hn::Set(du, coarse_base));
  const auto fine = hn::Sub(hn::ShiftRight<fine_shift>(hn::BitCast(du, q)), hn::Set(du, fine_base));
  auto cell = hn::IfThenElse(hn::RebindMask(du, hn::Ge(q, hn::Set(D(), fine_q))), fine, coarse);
  cell = hn::IfThenZeroElse(hn::RebindMask(du, hn::Eq(q, hn::Zero(D()))), cell);
  const auto upper = hn::RebindMask(du, hn::Gt(p, hn::Set(D(), 0.5)));
  return hn::IfThenElse(upper, hn::Sub(hn::Set(du, last), cell), cell);
}

template <class T>
HWY_INLINE void find_all(const T* score, std::size_t n, std::uint32_t* cell) {
  const hn::Rebind<std::uint32_t, D> du32;
  const std::size_t lanes = hn::Lanes(D());
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::TruncateTo(du32, cell_of(numeric::HWY_NAMESPACE::load<double>(score + i))), du32, cell + i);
  if (i == n) return;
  T rest[hn::MaxLanes(D())] = {};
  std::uint32_t found[hn::MaxLanes(D())];
  std::copy(score + i, score + n, rest);
  hn::StoreU(hn::TruncateTo(du32, cell_of(numeric::HWY_NAMESPACE::load<double>(rest))), du32, found);
  std::copy(found, found + (n - i), cell + i);
}

void find32(const float* score, std::size_t n, std::uint32_t* cell) { find_all(score, n, cell); }
void find64(const double* score, std::size_t n, std::uint32_t* cell) { find_all(score, n, cell); }

}  // namespace
}  // namespace tare::detail::numeric::score_cells::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric::score_cells {
namespace {

HWY_EXPORT(find32);
HWY_EXPORT(find64);

}  // namespace

void find(const float* score, std::size_t n, std::uint32_t* cell) { HWY_DYNAMIC_DISPATCH(find32)(score, n, cell); }
void find(const double* score, std::size_t n, std::uint32_t* cell) { HWY_DYNAMIC_DISPATCH(find64)(score, n, cell); }

}  // namespace tare::detail::numeric::score_cells
#endif
