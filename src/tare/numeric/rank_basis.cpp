#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/numeric/rank_basis.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"

#ifndef TARE_NUMERIC_RANK_BASIS_ONCE
#define TARE_NUMERIC_RANK_BASIS_ONCE

#include <algorithm>
#include <cmath>

#include "tare/numeric/rank_basis.hpp"

#endif

HWY_BEFORE_NAMESPACE();
namespace tare::numeric::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;

// sum w a b
HWY_INLINE double inner(const double* w, const double* a, const double* b, std::size_t n) {
  const D d;
  auto sum = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d))
    sum = hn::MulAdd(hn::Mul(hn::LoadU(d, w + i), hn::LoadU(d, a + i)), hn::LoadU(d, b + i), sum);
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// a -= c b
HWY_INLINE void subtract(double* a, double c, const double* b, std::size_t n) {
  const D d;
  const auto factor = hn::Set(d, c);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d))
    hn::StoreU(hn::NegMulAdd(factor, hn::LoadU(d, b + i), hn::LoadU(d, a + i)), d, a + i);
}

// Polynomial k from those before it: phi_k = (x phi_{k-1} - its projections) / its norm, the norm is returned.
// `last` is the norm that polynomial k-1 had. All arrays have n numbers, a multiple of every vector length.
double next_polynomial(const double* x, const double* w, double* phi, std::size_t k, double last, std::size_t n) {
  double* f = phi + k * n;
  const double* before = f - n;
  for (std::size_t i = 0; i < n; ++i) f[i] = x[i] * before[i];
  subtract(f, inner(w, f, before, n), before, n);
  if (k > 1) subtract(f, last, before - n, n);
  for (std::size_t j = 0; j < k; ++j) subtract(f, inner(w, f, phi + j * n, n), phi + j * n, n);
  // pooled nodes have weights of both signs: what should be 0 may come out below
  const double norm = std::sqrt(std::max(inner(w, f, f, n), 0.0));
  if (norm > 0)
    for (std::size_t i = 0; i < n; ++i) f[i] /= norm;
  return norm;
}

}  // namespace tare::numeric::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::numeric {
namespace {

HWY_EXPORT(next_polynomial);

constexpr std::size_t longest_vector = 32;  // doubles
constexpr double least_norm = 1e-7;         // below: no new direction, as when there are as many terms as scores

std::size_t terms_for(const Ordered& data) {
  const double grown = std::floor(std::pow(data.weight(), 0.4) + 1e-9);
  const std::size_t allowed = grown >= RankBasis::most_terms ? RankBasis::most_terms : static_cast<std::size_t>(grown);
  return std::max<std::size_t>(1, std::min(allowed, data.groups()));
}

}  // namespace

RankBasis::RankBasis(const Ordered& data, int threads, std::size_t alone) : nodes_(data, alone) {
  const std::size_t terms = terms_for(data);
  const double n = data.weight();
  for (;;) {
    stride_ = (nodes_.size() + longest_vector - 1) / longest_vector * longest_vector;
    std::vector<double> place = nodes_.places(data);
    place.resize(stride_, 0.0);
    mass_.assign(stride_, 0.0);
    nodes_.masses(data, mass_.data(), threads);
    orthonormalise(place, terms);
    const auto coarse = unresolved(n);
    if (std::find(coarse.begin(), coarse.end(), true) == coarse.end()) break;
    nodes_.split(data, coarse);
  }
  odds_.resize(terms_ * stride_);
  std::vector<double> leverage(stride_, 0.0);
  for (std::size_t k = 0; k < terms_; ++k)
    for (std::size_t i = 0; i < stride_; ++i) {
      leverage[i] += phi(k)[i] * phi(k)[i] / n;
      const double h = std::min(leverage[i], highest_leverage);
      odds_[k * stride_ + i] = h / (1 - h);
    }
}

void RankBasis::orthonormalise(const std::vector<double>& place, std::size_t terms) {
  phi_.assign(terms * stride_, 0.0);
  std::fill_n(phi_.begin(), nodes_.size(), 1.0);
  double norm = 1;
  for (terms_ = 1; terms_ < terms; ++terms_) {
    norm = HWY_DYNAMIC_DISPATCH(next_polynomial)(place.data(), mass_.data(), phi_.data(), terms_, norm, stride_);
    if (norm < least_norm) break;
  }
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

}  // namespace tare::numeric
#endif
