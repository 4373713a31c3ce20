#include "tare/measure/rank_poly/rank_poly.hpp"

#include <algorithm>
#include <cmath>

#include "tare/measure/estimators.hpp"
#include "tare/numeric/special.hpp"

namespace tare::detail::measure {
namespace {

double z_of(const Sample& sample, const std::vector<RankTerms>& path) {
  const auto& null = sample.shared<RankBasis>().null_variances(sample.ordered(), sample.threads());
  double out = -HUGE_VAL;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const double ratio = null[k] > 0 ? path[k].squared / std::sqrt(null[k]) : 0;
    out = std::max(out, ratio - std::sqrt(static_cast<double>(k + 1)));
  }
  return out;
}

Estimate estimate_of(const RankPath& path) {
  const auto& [d, null, away, per_square] = path.best();
  const RankTerms& top = path.terms().back();
  Estimate out{.squared = d, .squared_se = std::sqrt(null + away)};
  // The root of a noisy number is too low by about Var / (8 D^(3/2)): the factor undoes that, and fades out at 0.
  if (d > 0) out.value = std::sqrt(d * (1 + away / (4 * (d * d + away))));
  out.spread = SquareSpread{.squared = d, .se_null = std::sqrt(null), .per_square = per_square};
  out.widest = SquareSpread{.squared = top.squared, .se_null = std::sqrt(top.null), .per_square = top.per_square};
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
// smooth ones, and more bins are noisier: the end that allows for 128 of them is far away, so they must show more.
BeyondTerms beyond_terms(const Sample& sample, const RankPath& path) {
  constexpr int fewest = 32, most = 128, rows_per_bin = 10;
  const double seen = std::max(path.best().squared, path.terms().back().squared);
  BeyondTerms out;
  for (int bins = fewest; bins <= most && bins * rows_per_bin <= sample.ordered().weight(); bins *= 2)
    if (const auto binned = debias_em(sample, {.bins = bins}); binned && binned->spread->se_null > 0)
      if (const double z = (*binned->squared - seen) / binned->spread->se_null - (bins == most ? 0.5 : 0); z > out.z)
        out = {*binned->spread, z};
  return out;
}

// Above half a standard deviation the bins may be right, and the upper end allows for it; above two the curve is taken
// for rough. What that does to coverage and width: docs/studies/invented_truths.md.
constexpr double may_be_rough = 0.5, is_rough = 2;

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

// What the squares of a sample say. Rough curves are followed with more terms where that is wanted.
struct Squares {
  RankPath smooth;
  BeyondTerms bins;
  std::optional<RankPath> rough = {};

  explicit Squares(const Sample& sample, bool follow)
      : smooth(sample, sample.shared<RankBasis>()), bins(beyond_terms(sample, smooth)) {
    if (follow && bins.z > is_rough) rough.emplace(sample, sample.shared<RoughRanks>().basis);
  }
  [[nodiscard]] const RankPath& path() const { return rough ? *rough : smooth; }
  [[nodiscard]] Estimate widened() const {
    Estimate out = estimate_of(path());
    widen(bins, out);
    return out;
  }
};

double high_of(const RankPath& path) {
  return square_interval(estimate_of(path), rank_poly_estimator.interval.skew).high;
}

// The interval as it is, and not above what the scores allow.
PartEnds plain_ends(const Sample& sample, const Estimate& estimate) {
  const auto [low, high] = square_interval(estimate, rank_poly_estimator.interval.skew);
  return {.value = estimate.value,
          .low = too_few(sample) ? 0 : low,
          .high = std::max(bounded(sample, too_few(sample) ? 1 : high, 2), estimate.value)};
}

// The same with a look at the surest rows.
PartEnds wary_ends(const Sample& sample, const Estimate& estimate, double flipped_high) {
  PartEnds out = plain_ends(sample, estimate);
  if (!too_few(sample)) out.high = std::max(out.high, bounded(sample, flipped_high, 2));
  return out;
}

ValueInterval interval_of(const Sample& sample, const Squares& squares, const Estimate& estimate) {
  const RowParts parts = parts_of(sample);
  if (parts.certain.empty()) {
    const PartEnds ends = wary_ends(sample, estimate, high_of(squares.path().flipped(sample)));
    return {ends.low, ends.high};
  }
  return from_parts(plain_ends(sample, estimate), parts, 2, [](const Sample& others) {
    if (too_few(others)) return unknown_ends(others, 2);
    const Squares of_others(others, true);
    return wary_ends(others, of_others.widened(), high_of(of_others.path().flipped(others)));
  });
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

// The q below and above d with (d - q)^2 = z^2 (slope q) + null^2.
double low_limit(double d, double null, double slope) {
  if (d <= 0) return 0;
  const double shift = numeric::z95 * numeric::z95 * slope / 2;
  return std::max(d + shift - std::sqrt(shift * (shift + 2 * d) + null * null), 0.0);
}
double high_limit(double d, double null, double slope) {
  const double shift = numeric::z95 * numeric::z95 * slope / 2, from = std::max(d, 0.0);
  return from + shift + std::sqrt(shift * (shift + 2 * from) + null * null);
}

}  // namespace

std::vector<RankTerms> rank_poly_path(const Sample& sample) {
  return RankPath(sample, sample.shared<RankBasis>()).terms();
}

Result<double> rank_poly_z(const Sample& sample) {
  if (auto refused = without_others(rank_poly_estimator, sample)) return *refused;
  return z_of(sample, rank_poly_path(sample));
}

Result<Estimate> rank_poly(const Sample& sample, const Options& options) {
  if (auto refused = rank_refusal(rank_poly_estimator, sample, options)) return *refused;
  const Squares squares(sample, true);
  if (!options.details) return estimate_of(squares.path());
  Estimate out = squares.widened();
  out.interval = interval_of(sample, squares, out);
  const auto& [d, null, away, per_square] = squares.path().best();
  const RankTerms& top = squares.path().terms().back();
  out.parts = {{"degree", static_cast<double>(squares.path().chosen())},
               {"se_null", std::sqrt(null)},
               {"se", std::sqrt(away)},
               {"z", z_of(sample, squares.smooth.terms())},
               {"rough", squares.rough ? 1.0 : 0.0},
               {"per_square", per_square},
               {"top_squared", top.squared},
               {"top_se_null", std::sqrt(top.null)},
               {"top_per_square", top.per_square}};
  return out;
}

RankInterval rank_poly_interval(const Sample& sample) {
  const Squares squares(sample, false);
  const Estimate estimate = squares.widened();
  const double skew = rank_poly_estimator.interval.skew;
  RankInterval out{.clear = squares.smooth.best().squared > skew * std::sqrt(squares.smooth.best().null),
                   .high = high_of(squares.smooth),
                   .flipped_high = high_of(squares.smooth.flipped(sample)),
                   .note = estimate.note};
  const double allowing = square_interval(estimate, skew).high;
  if (squares.bins.z > is_rough)
    out.rough_high = allowing;
  else if (out.high > 0)
    out.rough_factor = std::max(allowing / out.high, 1.0);
  out.ends = wary_ends(sample, estimate, out.flipped_high);
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
     .roles = {.headline = true, .bias_drawn = true, .compared = 3}},
    {.run = rank_poly}};

RankPath::RankPath(const Sample& sample, const RankBasis& basis)
    : basis_(&basis), gaps_(sample.ordered(), basis, sample.threads()) {
  find_terms(sample.ordered().weight());
}

void RankPath::find_terms(double rows) {
  const RankSums sums = rank_sums(*basis_, gaps_, rows);
  double spread = 0;
  terms_.resize(basis_->terms());
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    for (std::size_t l = 0; l <= k; ++l) spread += (l < k ? 2 : 1) * sums.spread[k][l] * sums.spread[k][l];
    // Over pairs of rows, less the pairs of a row with itself. Nothing is left where no two rows have residuals, and
    // rounding must not turn that into a large z.
    const double pairs = spread - sums.h2r4[k];
    const double m2 = std::max(sums.m2[k], 0.0), away = 4 * std::max(sums.r2m2[k], 0.0) / rows;
    const double slope = m2 > 0 ? away / m2 : 4 * sums.spread[0][0] / rows;
    terms_[k] = {sums.rm[k], pairs > 1e-13 * spread ? 2 * pairs / (rows * rows) : 0, away,
                 scatter(slope, sums.f2[k], sums.f4[k], rows)};
  }
  chosen_ = choose(terms_);
}

RankPath RankPath::flipped(const Sample& sample) const {
  RankPath out = *this;
  out.gaps_.add(sample.ordered(), *basis_, surest_rows(sample.ordered()));
  out.find_terms(sample.ordered().weight());
  return out;
}

ValueInterval square_interval(const Estimate& e, double skew) {
  const SquareSpread& s = *e.spread;
  ValueInterval out{std::sqrt(low_limit(s.squared, skew * s.se_null, s.per_square)),
                    std::min(std::sqrt(high_limit(s.squared, numeric::z95 * s.se_null, s.per_square)), 1.0)};
  if (!e.widest) return out;
  const double top = high_limit(e.widest->squared, numeric::z95 * e.widest->se_null, e.widest->per_square);
  // The value has been corrected for the root, the limits have not: keep it inside.
  out.high = std::max({out.high, std::min(std::sqrt(top), 1.0), e.value});
  return out;
}

}  // namespace tare::detail::measure
