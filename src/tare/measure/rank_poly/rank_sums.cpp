#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/measure/rank_poly/rank_sums.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_MEASURE_RANK_SUMS_ONCE
#define TARE_MEASURE_RANK_SUMS_ONCE

#include <algorithm>
#include <cmath>

#include "tare/measure/rank_poly/rank_poly.hpp"

#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::measure::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using numeric::HWY_NAMESPACE::sum_of_lanes;

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

HWY_EXPORT(add_spread);
HWY_EXPORT(add_predictions);

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
