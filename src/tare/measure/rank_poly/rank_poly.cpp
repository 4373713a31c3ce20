#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tare/measure/rank_poly/rank_poly.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
// after foreach_target.h
#include "hwy/highway.h"

#ifndef TARE_MEASURE_RANK_POLY_ONCE
#define TARE_MEASURE_RANK_POLY_ONCE

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tare/measure/debias.hpp"
#include "tare/measure/rank_poly/rank_basis.hpp"
#include "tare/measure/rank_poly/rank_poly.hpp"
#include "tare/measure/square_interval.hpp"

namespace tare::inner::measure {

inline constexpr std::size_t most_terms = measure::RankBasis::most_terms;

// What is summed over the rows, per number of terms less one. r: label - score; h: leverage; m: leave-one-out
// prediction of r, with h at most 0.9.
struct RankSums {
  std::array<std::array<double, most_terms>, most_terms> spread = {};  // mean r^2 phi_k phi_l, l <= k
  std::array<double, most_terms> rm = {};                              // mean r m
  std::array<double, most_terms> r2m2 = {};                            // mean r^2 m^2
  std::array<double, most_terms> m2 = {};                              // mean m^2
  std::array<double, most_terms> f2 = {};                              // mean f^2 and f^4 of the fit to all rows
  std::array<double, most_terms> f4 = {};
  std::array<double, most_terms> h2r4 = {};  // sum h^2 r^4
};

}  // namespace tare::inner::measure
#endif

HWY_BEFORE_NAMESPACE();
namespace tare::inner::measure::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// a - b, and 0 where that is a rounding: the root of 1e-17 would look like an error.
HWY_INLINE double difference(double a, double b) {
  const double out = a - b;
  return std::abs(out) <= 2e-15 * std::abs(b) ? 0 : out;
}
HWY_INLINE double total(V v) { return hn::GetLane(hn::SumOfLanes(D(), v)); }

// spread[k][l] = sum r2 phi_k phi_l for k = from, from + 1 and l <= k, four l at a time (what lies above is not used).
HWY_INLINE void add_rows(const measure::RankBasis& basis, std::size_t from, const double* first, const double* second,
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
      for (std::size_t j = 0; j < 4 && l + j <= k; ++j) out.spread[k][l + j] = total(sums[k - from][j]);
  }
}

void add_spread(const measure::RankBasis& basis, const double* r2, double* first, double* second, RankSums& out) {
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

// With o = h / (1 - h) a row has m = g - o r, g = (1 + o) fit, so the sums over the rows of a node need only those of
// r^j. fit and leverage are running sums over the terms.
void add_predictions(const measure::RankBasis& basis, const std::array<const double*, 4>& r, double n_rows, double* fit,
                     double* leverage, RankSums& out) {
  const D d;
  const std::size_t n = basis.stride(), step = hn::Lanes(d);
  const auto share = hn::Set(d, 1 / n_rows);
  for (std::size_t k = 0; k < basis.terms(); ++k) {
    const double* phi = basis.phi(k);
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < n; i += step) sum = hn::MulAdd(hn::LoadU(d, phi + i), hn::LoadU(d, r[0] + i), sum);
    const auto coefficient = hn::Set(d, total(sum));
    auto gr = hn::Zero(d), g2 = gr, g2r2 = gr, gor = gr, gor3 = gr, or2 = gr, o2r2 = gr, o2r4 = gr, h2r4 = gr, f4 = gr;
    for (std::size_t i = 0; i < n; i += step) {
      const auto p = hn::LoadU(d, phi + i), o = hn::LoadU(d, basis.odds(k) + i);
      const auto r1 = hn::LoadU(d, r[0] + i), r2 = hn::LoadU(d, r[1] + i);
      const auto r3 = hn::LoadU(d, r[2] + i), r4 = hn::LoadU(d, r[3] + i);
      const auto f = hn::MulAdd(coefficient, p, hn::LoadU(d, fit + i));
      const auto h = hn::MulAdd(hn::Mul(p, share), p, hn::LoadU(d, leverage + i));
      hn::StoreU(f, d, fit + i);
      hn::StoreU(h, d, leverage + i);
      const auto g = hn::MulAdd(o, f, f), gg = hn::Mul(g, g), go = hn::Mul(g, o), oo = hn::Mul(o, o);
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
    out.rm[k] = difference(total(gr), total(or2));
    out.m2[k] = difference(total(g2) + total(o2r2), 2 * total(gor));
    out.r2m2[k] = difference(total(g2r2) + total(o2r4), 2 * total(gor3));
    out.h2r4[k] = total(h2r4) * n_rows;
    const double c = hn::GetLane(coefficient);
    out.f2[k] = c * c + (k > 0 ? out.f2[k - 1] : 0);
    out.f4[k] = total(f4);
  }
}

}  // namespace tare::inner::measure::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tare::inner::measure {
namespace {

HWY_EXPORT(add_spread);
HWY_EXPORT(add_predictions);

RankSums sums_of(const numeric::Ordered& data, const measure::RankBasis& basis, int threads) {
  const std::size_t stride = basis.stride();
  numeric::AlignedArray<double> room(8 * stride, 0.0);
  const auto array = [&](std::size_t i) { return room.data() + i * stride; };
  basis.nodes().gaps(data, {array(0), array(1), array(2), array(3)}, threads);
  RankSums out;
  HWY_DYNAMIC_DISPATCH(add_spread)(basis, array(1), array(4), array(5), out);
  HWY_DYNAMIC_DISPATCH(add_predictions)
  (basis, {array(0), array(1), array(2), array(3)}, data.weight(), array(6), array(7), out);
  return out;
}

// A row moves D by about (2 d r - d^2) / n, whose variance is 4 E d^2 r^2 - 3 E d^4 - (E d^2)^2: L counts d^2 as noise
// of the label, which it is not, and leaves out that another sample has other scores. The fit stands for d. Where it is
// large by chance a tenth of L is kept.
double scatter(double slope, double f2, double f4, double n) {
  if (!(f2 > 0)) return slope;
  return std::max(slope - (3 * std::max(f4, 0.0) / f2 + f2) / n, slope / 10);
}

// The number of terms, less one.
std::size_t choose(const std::vector<RankTerms>& path) {
  double best = 0;
  std::size_t out = 0;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const double criterion = path[k].squared - std::sqrt(static_cast<double>(k + 1) * path[k].null);
    if (k > 0 && !(criterion > best)) continue;
    best = criterion;
    out = k;
  }
  return out;
}

double z_of(const Sample& sample, const std::vector<RankTerms>& path) {
  const auto& null = sample.shared<RankBasis>().null_variances(sample.ordered(), sample.threads());
  double out = -HUGE_VAL;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const double ratio = null[k] > 0 ? path[k].squared / std::sqrt(null[k]) : 0;
    out = std::max(out, ratio - std::sqrt(static_cast<double>(k + 1)));
  }
  return out;
}

Estimate estimate_of(const std::vector<RankTerms>& path, std::size_t chosen) {
  const auto& [d, null, away, per_square] = path[chosen];
  const RankTerms& top = path.back();
  Estimate out{.squared = d, .squared_se = std::sqrt(null + away)};
  // The root of a noisy number is too low by about Var / (8 D^(3/2)): the factor undoes that, and fades out at 0.
  if (d > 0) out.value = std::sqrt(d * (1 + away / (4 * (d * d + away))));
  out.spread = SquareSpread{.squared = d, .se_null = std::sqrt(null), .per_square = per_square};
  out.widest = SquareSpread{.squared = top.squared, .se_null = std::sqrt(top.null), .per_square = top.per_square};
  return out;
}

std::vector<RankTerms> path_on(const Sample& sample, const RankBasis& basis) {
  const numeric::Ordered& data = sample.ordered();
  const RankSums sums = sums_of(data, basis, sample.threads());
  const double n = data.weight();
  double spread = 0;
  std::vector<RankTerms> out(basis.terms());
  for (std::size_t k = 0; k < out.size(); ++k) {
    for (std::size_t l = 0; l <= k; ++l) spread += (l < k ? 2 : 1) * sums.spread[k][l] * sums.spread[k][l];
    // Over pairs of rows, less the pairs of a row with itself. Nothing is left where no two rows have residuals, and
    // rounding must not turn that into a large z.
    const double pairs = spread - sums.h2r4[k];
    const double m2 = std::max(sums.m2[k], 0.0), away = 4 * std::max(sums.r2m2[k], 0.0) / n;
    const double slope = m2 > 0 ? away / m2 : 4 * sums.spread[0][0] / n;
    out[k] = {sums.rm[k], pairs > 1e-13 * spread ? 2 * pairs / (n * n) : 0, away,
              scatter(slope, sums.f2[k], sums.f4[k], n)};
  }
  return out;
}

// With more terms, for rough curves.
struct RoughRanks {
  RankBasis basis;
  RoughRanks(const numeric::Ordered& data, int threads)
      : basis(data, threads, RankNodes::most_alone, RankBasis::most_terms) {}
};

// What bins show beyond the polynomials.
struct BeyondTerms {
  SquareSpread spread = {};  // of the debiased squared error of the bins
  double z = 0;              // by how much that is above what the polynomials see, in standard deviations of its noise
};

// With 32, 64 and 128 bins of at least ten rows; the ones that show the most. Curves in steps need more bins than
// smooth ones, and more bins are noisier.
BeyondTerms beyond_terms(const Sample& sample, const std::vector<RankTerms>& path, std::size_t chosen) {
  constexpr int fewest = 32, most = 128, rows_per_bin = 10;
  const double seen = std::max(path[chosen].squared, path.back().squared);
  BeyondTerms out;
  for (int bins = fewest; bins <= most && bins * rows_per_bin <= sample.ordered().weight(); bins *= 2)
    if (const auto binned = debias_em(sample, {.bins = bins}); binned && binned->spread->se_null > 0)
      if (const double z = (*binned->squared - seen) / binned->spread->se_null; z > out.z) out = {*binned->spread, z};
  return out;
}

// Above one standard deviation the bins may be right, and the upper end allows for it; above two the curve is taken for
// rough. What that does to coverage and width: docs/studies/invented_truths.md.
constexpr double may_be_rough = 1, is_rough = 2;

// What the bins show is allowed for at the upper end, and said.
void widen(const BeyondTerms& bins, Estimate& out) {
  if (bins.z > may_be_rough) {
    Estimate wider = out;
    wider.widest = bins.spread;
    const double skew = rank_poly_estimator.interval.skew;
    if (square_interval(wider, skew).high > square_interval(out, skew).high) out.widest = bins.spread;
  }
  if (bins.z > is_rough)
    out.note = "the gap changes faster along the scores than smooth curves can follow, so the value may be too low";
}

Error alone() {
  return {.code = Errc::undefined,
          .what = "rank_poly predicts a row from the others, and there are none",
          .remedy = "more than one row is needed"};
}

}  // namespace

std::vector<RankTerms> rank_poly_path(const Sample& sample) { return path_on(sample, sample.shared<RankBasis>()); }

Result<double> rank_poly_z(const Sample& sample) {
  if (!(sample.ordered().weight() > 1)) return alone();
  return z_of(sample, rank_poly_path(sample));
}

Result<Estimate> rank_poly(const Sample& sample, const Options& options) {
  if (options.norm != 2)
    return Error{.code = Errc::unsupported,
                 .what = "rank_poly exists in norm 2 only, not in norm " + std::to_string(options.norm),
                 .remedy = "pass `norm` 2"};
  if (!(sample.ordered().weight() > 1)) return alone();
  auto path = rank_poly_path(sample);
  std::size_t chosen = choose(path);
  const double z = options.details ? z_of(sample, path) : 0;
  const BeyondTerms bins = beyond_terms(sample, path, chosen);
  if (bins.z > is_rough) {
    path = path_on(sample, sample.shared<RoughRanks>().basis);
    chosen = choose(path);
  }
  Estimate out = estimate_of(path, chosen);
  if (!options.details) return out;
  widen(bins, out);
  const auto& [d, null, away, per_square] = path[chosen];
  const RankTerms& top = path.back();
  out.parts = {{"degree", static_cast<double>(chosen)},
               {"se_null", std::sqrt(null)},
               {"se", std::sqrt(away)},
               {"z", z},
               {"rough", bins.z > is_rough ? 1.0 : 0.0},
               {"per_square", per_square},
               {"top_squared", top.squared},
               {"top_se_null", std::sqrt(top.null)},
               {"top_per_square", top.per_square}};
  return out;
}

RankInterval rank_poly_interval(const Sample& sample, std::size_t terms) {
  auto path = rank_poly_path(sample);
  path.resize(std::min(path.size(), terms));
  const std::size_t chosen = choose(path);
  const double skew = rank_poly_estimator.interval.skew;
  Estimate estimate = estimate_of(path, chosen);
  RankInterval out{.clear = path[chosen].squared > skew * std::sqrt(path[chosen].null),
                   .high = square_interval(estimate, skew).high};
  widen(beyond_terms(sample, path, chosen), estimate);
  if (!estimate.note.empty()) out.note = estimate.note, out.rough_high = square_interval(estimate, skew).high;
  return out;
}

constinit const Estimator rank_poly_estimator{
    {.name = "rank_poly",
     .title = "leave-one-out error by polynomials in rank",
     .summary = "squared gap that the other rows predict, by smooth curves in the rank of the score",
     .citation = "this project, docs/methods/rank_poly.md",
     .estimand = "tce",
     .norms = Norms::two,
     .interval = {.method = IntervalMethod::inverted_square, .skew = 3.2, .words = "inverted 95% of the squared error"},
     .left_alone = adds_noise,
     .roles = {.headline = true, .bias_drawn = true}},
    {.run = rank_poly}};

}  // namespace tare::inner::measure
#endif
