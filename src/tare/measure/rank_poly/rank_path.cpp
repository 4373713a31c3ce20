#include "tare/measure/rank_poly/rank_path.hpp"

#include <algorithm>
#include <cmath>

#include "tare/measure/rank_poly/surest_rows.hpp"

namespace tare::inner::measure {
namespace {

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

}  // namespace

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

}  // namespace tare::inner::measure
