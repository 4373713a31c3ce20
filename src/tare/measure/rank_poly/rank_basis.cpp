#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/measure/rank_poly/rank_basis.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"
#include "tare/numeric/simd/lanes-inl.hpp"

#ifndef TARE_NUMERIC_RANK_BASIS_ONCE
#define TARE_NUMERIC_RANK_BASIS_ONCE

#include <algorithm>
#include <cmath>

#include "tare/measure/rank_poly/rank_basis.hpp"

#endif

HWY_BEFORE_NAMESPACE();
namespace tare::detail::measure::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using numeric::HWY_NAMESPACE::sum_of_lanes;

// projection[j] = sum w f phi_j for j < k, four at a time.
HWY_INLINE void project(const double* wf, const double* phi, std::size_t k, std::size_t n, double* projection) {
  const D d;
  for (std::size_t j = 0; j < k; j += 4) {
    const double *p = phi + j * n, *q = phi + std::min(j + 1, k) * n, *r = phi + std::min(j + 2, k) * n,
                 *s = phi + std::min(j + 3, k) * n;  // those from k on are not used
    auto a = hn::Zero(d), b = a, c = a, e = a;
    for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
      const auto v = hn::LoadU(d, wf + i);
      a = hn::MulAdd(v, hn::LoadU(d, p + i), a);
      b = hn::MulAdd(v, hn::LoadU(d, q + i), b);
      c = hn::MulAdd(v, hn::LoadU(d, r + i), c);
      e = hn::MulAdd(v, hn::LoadU(d, s + i), e);
    }
    const V sums[4] = {a, b, c, e};
    for (std::size_t l = 0; l < 4 && j + l < k; ++l) projection[j + l] = sum_of_lanes(sums[l]);
  }
}

// Polynomial k from those before it: phi_k = (x phi_{k-1} - its projections) / its norm, the norm is returned.
// `last` is the norm that polynomial k-1 had. All arrays have n numbers, a multiple of every vector length.
double next_polynomial(const double* x, const double* w, double* phi, std::size_t k, double last, double* scratch,
                       std::size_t n) {
  const D d;
  const std::size_t step = hn::Lanes(d);
  double *f = phi + k * n, *before = f - n, *before_that = k > 1 ? before - n : before;
  auto sum = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += step) {
    const auto p = hn::LoadU(d, before + i), v = hn::Mul(hn::LoadU(d, x + i), p);
    hn::StoreU(v, d, f + i);
    sum = hn::MulAdd(hn::Mul(v, p), hn::LoadU(d, w + i), sum);
  }
  const auto middle = hn::Set(d, sum_of_lanes(sum)), beside = hn::Set(d, k > 1 ? last : 0.0);
  for (std::size_t i = 0; i < n; i += step) {
    const auto v = hn::NegMulAdd(middle, hn::LoadU(d, before + i), hn::LoadU(d, f + i));
    const auto u = hn::NegMulAdd(beside, hn::LoadU(d, before_that + i), v);
    hn::StoreU(u, d, f + i);
    hn::StoreU(hn::Mul(u, hn::LoadU(d, w + i)), d, scratch + i);
  }
  double projection[RankBasis::most_terms];
  project(scratch, phi, k, n, projection);
  sum = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += step) {
    auto v = hn::LoadU(d, f + i);
    for (std::size_t j = 0; j < k; ++j) v = hn::NegMulAdd(hn::Set(d, projection[j]), hn::LoadU(d, phi + j * n + i), v);
    hn::StoreU(v, d, f + i);
    sum = hn::MulAdd(hn::Mul(v, v), hn::LoadU(d, w + i), sum);
  }
  // pooled nodes have weights of both signs: what should be 0 may come out below
  const double norm = std::sqrt(std::max(sum_of_lanes(sum), 0.0));
  const auto scale = hn::Set(d, norm > 0 ? 1 / norm : 0.0);
  for (std::size_t i = 0; i < n; i += step) hn::StoreU(hn::Mul(scale, hn::LoadU(d, f + i)), d, f + i);
  return norm;
}

// h / (1 - h) after every term.
void leverage_odds(const double* phi, std::size_t terms, double n_rows, std::size_t n, double* out) {
  const D d;
  const auto one = hn::Set(d, 1.0), share = hn::Set(d, 1 / n_rows), most = hn::Set(d, RankBasis::highest_leverage);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    auto h = hn::Zero(d);
    for (std::size_t k = 0; k < terms; ++k) {
      const auto p = hn::LoadU(d, phi + k * n + i);
      h = hn::MulAdd(hn::Mul(p, share), p, h);
      const auto cut = hn::Min(h, most);
      hn::StoreU(hn::Div(cut, hn::Sub(one, cut)), d, out + k * n + i);
    }
  }
}

}  // namespace tare::detail::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::detail::measure {
namespace {

HWY_EXPORT(next_polynomial);
HWY_EXPORT(leverage_odds);

constexpr std::size_t longest_vector = 32;  // doubles
constexpr double least_norm = 1e-7;         // below: no new direction, as when there are as many terms as scores

std::size_t terms_for(const numeric::Ordered& data, std::size_t most) {
  const double grown = std::floor(std::pow(data.weight(), 0.4) + 1e-9);
  const std::size_t allowed = grown >= static_cast<double>(most) ? most : static_cast<std::size_t>(grown);
  return std::max<std::size_t>(1, std::min(allowed, data.groups()));
}

}  // namespace

RankBasis::RankBasis(const numeric::Ordered& data, int threads, std::size_t alone, std::size_t most)
    : nodes_(data, alone) {
  const std::size_t terms = terms_for(data, most);
  const double n = data.weight();
  for (;;) {
    // an odd number of vectors: arrays that lie a power of two apart would drive each other out of the cache
    stride_ = ((nodes_.size() + longest_vector - 1) / longest_vector | 1) * longest_vector;
    numeric::AlignedArray<double> place = nodes_.places(data);
    place.resize(stride_, 0.0);
    mass_.assign(stride_, 0.0);
    nodes_.masses(data, mass_.data(), threads);
    orthonormalise(place, terms);
    const auto coarse = unresolved(n);
    if (std::find(coarse.begin(), coarse.end(), true) == coarse.end()) break;
    nodes_.split(data, coarse);
  }
  odds_.resize(terms_ * stride_);
  HWY_DYNAMIC_DISPATCH(leverage_odds)(phi_.data(), terms_, n, stride_, odds_.data());
}

void RankBasis::orthonormalise(const numeric::AlignedArray<double>& place, std::size_t terms) {
  phi_.assign(terms * stride_, 0.0);
  std::fill_n(phi_.begin(), nodes_.size(), 1.0);
  numeric::AlignedArray<double> scratch(stride_);
  double norm = 1;
  for (terms_ = 1; terms_ < terms; ++terms_) {
    norm = HWY_DYNAMIC_DISPATCH(next_polynomial)(place.data(), mass_.data(), phi_.data(), terms_, norm, scratch.data(),
                                                 stride_);
    if (norm < least_norm) break;
  }
}

// Over pairs of rows i != j of v_i v_j (sum_k phi_k(i) phi_k(j) / n)^2, twice, divided by n^2: all pairs, less those of
// a row with itself.
const std::vector<double>& RankBasis::null_variances(const numeric::Ordered& data, int threads) const {
  return null_.get([&] {
    const double n = data.weight();
    std::vector<double> v(stride_), v2(stride_), leverage(stride_), out;
    nodes_.variances(data, {v.data(), v2.data()}, threads);
    double pairs = 0;
    for (std::size_t k = 0; k < terms_; ++k) {
      for (std::size_t l = 0; l <= k; ++l) {
        double sum = 0;
        for (std::size_t i = 0; i < nodes_.size(); ++i) sum += v[i] * phi(k)[i] * phi(l)[i];
        pairs += (l < k ? 2 : 1) * sum * sum;
      }
      double own = 0;
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        leverage[i] += phi(k)[i] * phi(k)[i] / n;
        own += leverage[i] * leverage[i] * v2[i];
      }
      const double others = pairs - own * n;
      out.push_back(others > 1e-13 * pairs ? 2 * others / (n * n) : 0);  // below: rounding
    }
    return out;
  });
}

// Pooled stretches on which a polynomial of the basis is not yet smooth. All products of two of them are about as
// rough as the sum of their squares; what its interpolant loses counts by the share of the stretch. Where leverage is
// high, 1 / (1 - h) is rough as well.
std::vector<bool> RankBasis::unresolved(double n) const {
  constexpr double tolerance = 1e-13, smooth_leverage = 0.2;
  std::vector<bool> out(nodes_.stretches().size(), false);
  for (std::size_t at = 0; at < out.size(); ++at) {
    const auto& s = nodes_.stretches()[at];
    if (!s.pooled) continue;
    std::array<double, RankNodes::points> square{};
    double share = 0, highest = 0;
    for (std::size_t i = 0; i < square.size(); ++i) {
      for (std::size_t k = 0; k < terms_; ++k) square[i] += phi(k)[s.node + i] * phi(k)[s.node + i];
      share += std::abs(mass_[s.node + i]);
      highest = std::max(highest, square[i]);
    }
    const double lost = RankNodes::roughness(square.data()) + 1e-16 * highest;
    out[at] = lost * share > tolerance * static_cast<double>(terms_) || highest > smooth_leverage * n;
  }
  return out;
}

}  // namespace tare::detail::measure
#endif
