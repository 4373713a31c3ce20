#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/measure/rank_poly/leave_one_out_transfer.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_MEASURE_RANK_CARRY_ONCE
#define TARE_MEASURE_RANK_CARRY_ONCE

#include <algorithm>

#include "tare/measure/rank_poly/rank_basis.hpp"

namespace tare::detail::measure {

inline constexpr std::size_t groups_per_block = 256;

// Some groups in a row: where they are in their stretch, and the values they carry.
struct GroupBlock {
  alignas(64) double t[groups_per_block];  // in [-1, 1]
  alignas(64) double value[4][groups_per_block];
};

}  // namespace tare::detail::measure
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::measure::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using numeric::HWY_NAMESPACE::sum_of_lanes;

// Whole numbers below 2^63.
HWY_INLINE V real(hn::Vec<hn::RebindToUnsigned<D> > v) {
  return hn::ConvertTo(D(), hn::BitCast(hn::RebindToSigned<D>(), v));
}

// One vector of groups from g on. The values are the masses (one), the variances of
// labels if calibrated and their squares (two), or the powers of the gaps (four).
template <std::size_t values>
HWY_INLINE void fill_vector(const GroupInput& in, std::size_t g, GroupBlock& out, std::size_t at) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const auto before = hn::LoadU(du, in.mass + g), after = hn::LoadU(du, in.mass + g + 1);
  const auto rank = real(hn::Sub(hn::Add(before, after), hn::Set(du, in.origin)));
  const auto one = hn::Set(d, 1.0);
  hn::Store(hn::Sub(hn::Mul(rank, hn::Set(d, in.per_rank)), one), d, out.t + at);
  const auto mass = real(hn::Sub(after, before));
  if constexpr (values == 1) {
    hn::Store(mass, d, out.value[0] + at);
  } else if constexpr (values == 2) {
    const auto s = hn::LoadU(d, in.score + g), variance = hn::Mul(s, hn::Sub(one, s));
    hn::Store(hn::Mul(mass, variance), d, out.value[0] + at);
    hn::Store(hn::Mul(hn::Mul(mass, variance), variance), d, out.value[1] + at);
  } else {
    const auto hits = real(hn::Sub(hn::LoadU(du, in.hits + g + 1), hn::LoadU(du, in.hits + g)));
    const auto s = hn::LoadU(d, in.score + g), rest = hn::Sub(one, s);
    auto a = hn::Mul(hits, rest), b = hn::Mul(hn::Sub(mass, hits), s);
    hn::Store(hn::Sub(a, b), d, out.value[0] + at);
    a = hn::Mul(a, rest), b = hn::Mul(b, s);
    hn::Store(hn::Add(a, b), d, out.value[1] + at);
    a = hn::Mul(a, rest), b = hn::Mul(b, s);
    hn::Store(hn::Sub(a, b), d, out.value[2] + at);
    a = hn::Mul(a, rest), b = hn::Mul(b, s);
    hn::Store(hn::Add(a, b), d, out.value[3] + at);
  }
}

// Groups from .. from+count-1; what fills up the last vector has the value 0.
template <std::size_t values>
HWY_INLINE void fill(const GroupInput& in, std::size_t from, std::size_t count, GroupBlock& out) {
  const std::size_t lanes = hn::Lanes(D());
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) fill_vector<values>(in, from + i, out, i);
  if (i == count) return;
  // the arrays end here: a padded copy, in which the groups after the last have no mass
  constexpr std::size_t room = hn::MaxLanes(D()) + 1;
  double score[room] = {};
  std::uint64_t mass[room], hits[room];
  const std::size_t left = count - i, g = from + i;
  std::copy(in.score + g, in.score + g + left, score);
  for (std::size_t j = 0; j < room; ++j) {
    mass[j] = in.mass[g + std::min(j, left)];
    hits[j] = in.hits[g + std::min(j, left)];
  }
  fill_vector<values>({score, mass, hits, in.origin, in.per_rank}, 0, out, i);
}

// Adds sum value * T_j(t), j < points, with T_{j+1} = 2 t T_j - T_{j-1}; two j at a time.
template <std::size_t values>
HWY_INLINE void add_moments(const GroupBlock& block, std::size_t count, double* moments) {
  static_assert(RankNodes::points % 2 == 0);
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  alignas(64) double even[groups_per_block], odd[groups_per_block];
  std::fill(even, even + groups_per_block, 1.0);
  std::copy(block.t, block.t + (count + lanes - 1) / lanes * lanes, odd);
  for (std::size_t j = 0; j < RankNodes::points; j += 2) {
    auto a = hn::Zero(d), b = a, c = a, e = a, a2 = a, b2 = a, c2 = a, e2 = a;
    for (std::size_t i = 0; i < count; i += lanes) {
      const auto p = hn::Load(d, even + i), q = hn::Load(d, odd + i), t = hn::Load(d, block.t + i);
      const auto v = hn::Load(d, block.value[0] + i);
      a = hn::MulAdd(p, v, a);
      a2 = hn::MulAdd(q, v, a2);
      if constexpr (values >= 2) {
        const auto w = hn::Load(d, block.value[1] + i);
        b = hn::MulAdd(p, w, b);
        b2 = hn::MulAdd(q, w, b2);
      }
      if constexpr (values == 4) {
        const auto x = hn::Load(d, block.value[2] + i), y = hn::Load(d, block.value[3] + i);
        c = hn::MulAdd(p, x, c);
        c2 = hn::MulAdd(q, x, c2);
        e = hn::MulAdd(p, y, e);
        e2 = hn::MulAdd(q, y, e2);
      }
      const auto twice = hn::Add(t, t), next = hn::MulSub(twice, q, p);
      hn::Store(next, d, even + i);
      hn::Store(hn::MulSub(twice, next, q), d, odd + i);
    }
    const V sums[2][4] = {{a, b, c, e}, {a2, b2, c2, e2}};
    for (std::size_t v = 0; v < values; ++v)
      for (std::size_t k = 0; k < 2; ++k) moments[v * RankNodes::points + j + k] += sum_of_lanes(sums[k][v]);
  }
}

// From moments to what the nodes carry: out[v][i] = share * sum_j weight[j][i] moments[v][j].
template <std::size_t values>
HWY_INLINE void pool(const GroupInput& in, std::size_t from, std::size_t to, const PointWeights& weight, double share,
                     double* const* out) {
  GroupBlock block;
  double moments[values * RankNodes::points] = {};
  for (std::size_t g = from; g < to; g += groups_per_block) {
    const std::size_t count = std::min(groups_per_block, to - g);
    fill<values>(in, g, count, block);
    add_moments<values>(block, count, moments);
  }
  const D d;
  alignas(64) double carried[padded_points];
  for (std::size_t v = 0; v < values; ++v) {
    for (std::size_t i = 0; i < padded_points; i += hn::Lanes(d)) {
      auto sum = hn::Zero(d);
      for (std::size_t j = 0; j < RankNodes::points; ++j)
        sum = hn::MulAdd(hn::Set(d, moments[v * RankNodes::points + j]), hn::Load(d, weight[j].data() + i), sum);
      hn::Store(hn::Mul(sum, hn::Set(d, share)), d, carried + i);
    }
    std::copy(carried, carried + RankNodes::points, out[v]);
  }
}

template <std::size_t values>
HWY_INLINE void copy(const GroupInput& in, std::size_t from, std::size_t to, double share, double* const* out) {
  GroupBlock block;
  for (std::size_t g = from; g < to; g += groups_per_block) {
    const std::size_t count = std::min(groups_per_block, to - g);
    fill<values>(in, g, count, block);
    for (std::size_t v = 0; v < values; ++v)
      for (std::size_t i = 0; i < count; ++i) out[v][g - from + i] = block.value[v][i] * share;
  }
}

template <std::size_t values>
HWY_INLINE void carry(const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight, double share,
                      double* const* out) {
  if (s.pooled)
    pool<values>(in, s.from, s.to, weight, share, out);
  else
    copy<values>(in, s.from, s.to, share, out);
}

void carry_here(std::size_t values, const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight,
                double share, double* const* out) {
  if (values == 1)
    carry<1>(in, s, weight, share, out);
  else if (values == 2)
    carry<2>(in, s, weight, share, out);
  else
    carry<4>(in, s, weight, share, out);
}

}  // namespace tare::detail::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::measure {

HWY_EXPORT(carry_here);

void transfer(std::size_t values, const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight,
              double share, double* const* out) {
  HWY_DYNAMIC_DISPATCH(carry_here)(values, in, s, weight, share, out);
}

}  // namespace tare::detail::measure
#endif
