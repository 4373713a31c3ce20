#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/measure/rank_poly/rank_kernels.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_MEASURE_RANK_KERNELS_ONCE
#define TARE_MEASURE_RANK_KERNELS_ONCE

#include <algorithm>
#include <cmath>

#include "tare/measure/rank_poly/rank_poly.hpp"

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

// From the values of groups to what the nodes of their stretch carry.

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

// What rank_poly sums over the nodes, for every number of terms.

// a - b, and 0 where that is a rounding: the root of 1e-17 would look like an error.
HWY_INLINE double difference(double a, double b) {
  const double out = a - b;
  return std::abs(out) <= 2e-15 * std::abs(b) ? 0 : out;
}

// spread[k][l] = sum r2 phi_k phi_l for k = from, from + 1 and l <= k, four l at a time (what lies above is not used).
HWY_INLINE void add_rows(const RankBasis& basis, std::size_t from, const double* first, const double* second,
                         RankSums& out) {
  const D d;
  const std::size_t n = basis.stride(), last = std::min(from + 1, basis.terms() - 1);
  for (std::size_t l = 0; l <= last; l += 4) {
    const double *p = basis.phi(l), *q = basis.phi(std::min(l + 1, last)), *r = basis.phi(std::min(l + 2, last)),
                 *s = basis.phi(std::min(l + 3, last));
    auto a = hn::Zero(d), b = a, c = a, e = a, a2 = a, b2 = a, c2 = a, e2 = a;
    for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
      const auto v = hn::LoadU(d, first + i), w = hn::LoadU(d, second + i);
      const auto x = hn::LoadU(d, p + i), y = hn::LoadU(d, q + i);
      a = hn::MulAdd(v, x, a);
      a2 = hn::MulAdd(w, x, a2);
      b = hn::MulAdd(v, y, b);
      b2 = hn::MulAdd(w, y, b2);
      const auto z = hn::LoadU(d, r + i), u = hn::LoadU(d, s + i);
      c = hn::MulAdd(v, z, c);
      c2 = hn::MulAdd(w, z, c2);
      e = hn::MulAdd(v, u, e);
      e2 = hn::MulAdd(w, u, e2);
    }
    const V sums[2][4] = {{a, b, c, e}, {a2, b2, c2, e2}};
    for (std::size_t k = from; k <= last; ++k)
      for (std::size_t j = 0; j < 4 && l + j <= k; ++j) out.spread[k][l + j] = sum_of_lanes(sums[k - from][j]);
  }
}

void add_spread(const RankBasis& basis, const double* r2, double* first, double* second, RankSums& out) {
  const D d;
  for (std::size_t k = 0; k < basis.terms(); k += 2) {
    const double *p = basis.phi(k), *q = basis.phi(std::min(k + 1, basis.terms() - 1));
    for (std::size_t i = 0; i < basis.stride(); i += hn::Lanes(d)) {
      hn::StoreU(hn::Mul(hn::LoadU(d, r2 + i), hn::LoadU(d, p + i)), d, first + i);
      hn::StoreU(hn::Mul(hn::LoadU(d, r2 + i), hn::LoadU(d, q + i)), d, second + i);
    }
    add_rows(basis, k, first, second, out);
  }
}

// With o = h / (1 - h) a row has m = g - o r, g = (1 + o) fit, or both 0, so the sums over the rows of a node need only
// those of r^j. fit and leverage are running sums over the terms.
void add_predictions(const RankBasis& basis, const std::array<const double*, 4>& r, double n_rows, double* fit,
                     double* leverage, RankSums& out) {
  const D d;
  const std::size_t n = basis.stride(), step = hn::Lanes(d);
  const auto share = hn::Set(d, 1 / n_rows), most = hn::Set(d, RankBasis::most_odds);
  for (std::size_t k = 0; k < basis.terms(); ++k) {
    const double* phi = basis.phi(k);
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < n; i += step) sum = hn::MulAdd(hn::LoadU(d, phi + i), hn::LoadU(d, r[0] + i), sum);
    const auto coefficient = hn::Set(d, sum_of_lanes(sum));
    auto gr = hn::Zero(d), g2 = gr, g2r2 = gr, gor = gr, gor3 = gr, or2 = gr, o2r2 = gr, o2r4 = gr, h2r4 = gr, f4 = gr;
    for (std::size_t i = 0; i < n; i += step) {
      const auto p = hn::LoadU(d, phi + i), odds = hn::LoadU(d, basis.odds(k) + i);
      const auto predicted = hn::Le(odds, most);
      const auto r1 = hn::LoadU(d, r[0] + i), r2 = hn::LoadU(d, r[1] + i);
      const auto r3 = hn::LoadU(d, r[2] + i), r4 = hn::LoadU(d, r[3] + i);
      const auto f = hn::MulAdd(coefficient, p, hn::LoadU(d, fit + i));
      const auto h = hn::MulAdd(hn::Mul(p, share), p, hn::LoadU(d, leverage + i));
      hn::StoreU(f, d, fit + i);
      hn::StoreU(h, d, leverage + i);
      const auto o = hn::IfThenElseZero(predicted, odds), g = hn::IfThenElseZero(predicted, hn::MulAdd(o, f, f));
      const auto gg = hn::Mul(g, g), go = hn::Mul(g, o), oo = hn::Mul(o, o);
      gr = hn::MulAdd(g, r1, gr);
      or2 = hn::MulAdd(o, r2, or2);
      const auto mass = hn::LoadU(d, basis.mass() + i), ff = hn::Mul(f, f);
      g2 = hn::MulAdd(gg, mass, g2);
      f4 = hn::MulAdd(hn::Mul(ff, ff), mass, f4);
      gor = hn::MulAdd(go, r1, gor);
      o2r2 = hn::MulAdd(oo, r2, o2r2);
      g2r2 = hn::MulAdd(gg, r2, g2r2);
      gor3 = hn::MulAdd(go, r3, gor3);
      o2r4 = hn::MulAdd(oo, r4, o2r4);
      h2r4 = hn::MulAdd(hn::Mul(h, h), r4, h2r4);
    }
    out.rm[k] = difference(sum_of_lanes(gr), sum_of_lanes(or2));
    out.m2[k] = difference(sum_of_lanes(g2) + sum_of_lanes(o2r2), 2 * sum_of_lanes(gor));
    out.r2m2[k] = difference(sum_of_lanes(g2r2) + sum_of_lanes(o2r4), 2 * sum_of_lanes(gor3));
    out.h2r4[k] = sum_of_lanes(h2r4) * n_rows;
    const double c = hn::GetLane(coefficient);
    out.f2[k] = c * c + (k > 0 ? out.f2[k - 1] : 0);
    out.f4[k] = sum_of_lanes(f4);
  }
}

}  // namespace tare::detail::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::measure {

HWY_EXPORT(carry_here);
HWY_EXPORT(add_spread);
HWY_EXPORT(add_predictions);

void transfer(std::size_t values, const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight,
              double share, double* const* out) {
  HWY_DYNAMIC_DISPATCH(carry_here)(values, in, s, weight, share, out);
}

RankGaps::RankGaps(const numeric::Ordered& data, const RankBasis& basis, int threads)
    : stride_(basis.stride()), sums_(4 * stride_, 0.0) {
  basis.nodes().gaps(data, all(), threads);
}

std::array<double*, 4> RankGaps::all() {
  double* first = sums_.data();
  return {first, first + stride_, first + 2 * stride_, first + 3 * stride_};
}

void RankGaps::add(const numeric::Ordered& data, const RankBasis& basis, std::span<const Flip> flips) {
  basis.nodes().add_flips(data, flips, all());
}

RankSums rank_sums(const RankBasis& basis, const RankGaps& gaps, double rows) {
  const std::size_t stride = basis.stride();
  numeric::AlignedArray<double> room(4 * stride, 0.0);
  const auto array = [&](std::size_t i) { return room.data() + i * stride; };
  RankSums out;
  HWY_DYNAMIC_DISPATCH(add_spread)(basis, gaps.powers()[1], array(0), array(1), out);
  HWY_DYNAMIC_DISPATCH(add_predictions)(basis, gaps.powers(), rows, array(2), array(3), out);
  return out;
}

}  // namespace tare::detail::measure
#endif
