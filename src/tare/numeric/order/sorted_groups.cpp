// A vector of rows at a time. Each row holds what its group would be if it ended there; those where a group does end
// are kept.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/order/sorted_groups.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"

#ifndef TARE_NUMERIC_SORTED_GROUPS_ONCE
#define TARE_NUMERIC_SORTED_GROUPS_ONCE
#include <cstring>

#include "tare/numeric/order/sorted_groups.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::numeric::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

SortedGroups find_groups(const double* score, const std::uint8_t* mark, std::size_t n, double* group_score,
                         std::uint64_t* rows, std::uint64_t* marked) {
  SortedGroups out;
  std::uint64_t hits = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<double, 8> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  const hn::Rebind<std::uint32_t, decltype(d)> d32;
  const std::size_t lanes = hn::Lanes(d);
  auto least_step = hn::Zero(d);
  for (; i + lanes < n; i += lanes) {
    // a product with 1 + 2^8 + 2^16 + ... holds the running sums of up to eight bytes
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, mark + i, lanes);
    bytes *= 0x0101010101010101U;
    std::uint8_t sums[8];
    std::memcpy(sums, &bytes, 8);
    const auto here = hn::LoadU(d, score + i), next = hn::LoadU(d, score + i + 1);
    const auto ends = hn::Gt(next, here);
    least_step = hn::Min(least_step, hn::Sub(next, here));
    const auto row = hn::Iota(du, i + 1);
    const auto hit = hn::Add(hn::PromoteTo(du, hn::PromoteTo(d32, hn::LoadU(d8, sums))), hn::Set(du, hits));
    hits += sums[lanes - 1];
    if (hn::AllTrue(d, ends)) {
      hn::StoreU(here, d, group_score + out.count);
      hn::StoreU(row, du, rows + out.count);
      hn::StoreU(hit, du, marked + out.count);
      out.count += lanes;
    } else if (hn::AllFalse(d, ends)) {
      continue;
    } else {
      const auto kept = hn::RebindMask(du, ends);
      hn::CompressBlendedStore(here, ends, d, group_score + out.count);
      hn::CompressBlendedStore(row, kept, du, rows + out.count);
      hn::CompressBlendedStore(hit, kept, du, marked + out.count);
      out.count += hn::CountTrue(d, ends);
    }
  }
  out.descends = hn::GetLane(hn::MinOfLanes(d, least_step)) < 0;
#endif
  for (; i < n; ++i) {
    hits += mark[i];
    group_score[out.count] = score[i];
    rows[out.count] = i + 1;
    marked[out.count] = hits;
    out.count += i + 1 == n || score[i + 1] > score[i];
    out.descends |= i + 1 < n && score[i + 1] < score[i];
  }
  return out;
}

}  // namespace tare::detail::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::numeric {

HWY_EXPORT(find_groups);

SortedGroups sorted_groups(const double* score, const std::uint8_t* mark, std::size_t n, double* group_score,
                           std::uint64_t* rows, std::uint64_t* marked) {
  return HWY_DYNAMIC_DISPATCH(find_groups)(score, mark, n, group_score, rows, marked);
}

}  // namespace tare::detail::numeric
#endif
