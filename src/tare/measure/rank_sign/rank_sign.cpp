// An error of norm 1 to which noise adds nothing. With r = label - score, and m the prediction of r from all other rows
// by polynomials in the rank of the score (rank_poly), E[r sign(m)] = d sign(m) <= |d|, where d = E[label | score] -
// score: so D_K = mean(r sign(m_K)) never exceeds the true mean gap in expectation (docs/methods/rank_sign.md). The
// degrees K = 1 .. min(16, n^0.4) are averaged with weights exp((D_K - e_K / 2) / (se / 2)), e_K the mean standard
// error of m_K, se = sqrt(mean r^2 / n); value = the average, 0 where it is negative. Norm 1 only.
#include "tare/measure/estimators.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tare/measure/rank_poly/certain_rows.hpp"
#include "tare/measure/rank_poly/rank_basis.hpp"
#include "tare/measure/rank_poly/rank_poly.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::measure {
namespace {

// Places of a sample on which polynomials in rank are evaluated one by one: its groups of equal scores or, where there
// are more than `most`, runs of neighbours of about equal mass.

template <std::size_t most>
class GatheredRanks {
 public:
  GatheredRanks(const numeric::Ordered& data, int threads) {
    if (data.groups() <= most) {
      basis_.emplace(data, threads, most);
      return;
    }
    for (std::size_t j = 0; j <= most; ++j) {
      const std::size_t at = numeric::boundary(data, numeric::Binning::mass, j, most);
      if (cut_.empty() || at > cut_.back()) cut_.push_back(at);
    }
    const numeric::Ordered gathered = of(data);
    basis_.emplace(gathered, threads, most);
  }

  [[nodiscard]] const RankBasis& basis() const { return *basis_; }
  [[nodiscard]] bool exact() const { return cut_.empty(); }  // every group is a place
  [[nodiscard]] std::size_t place_of(std::size_t group) const {
    if (exact()) return group;
    return static_cast<std::size_t>(std::ranges::upper_bound(cut_, group) - cut_.begin()) - 1;
  }
  // The same data with one group per place, at the mean of its scores.
  [[nodiscard]] numeric::Ordered of(const numeric::Ordered& data) const { return numeric::gather(data, cut_); }

 private:
  std::vector<std::size_t> cut_;  // first groups of the places, and the number of groups; empty: every group is one
  std::optional<RankBasis> basis_;
};

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t most_terms = 16;
// Beyond so many different scores neighbours are gathered. A place in which the prediction changes sign then counts as
// a whole, which moves the value by less than a hundredth of its standard error.
constexpr std::size_t fine_places = 16'384;
constexpr std::size_t coarse_places = 1'024;  // of redrawings, of which there are many

// What is known at every place. Shares are of all rows.
struct Places {
  ArrayXd share, hits, misses, score;
};

Places places_of(const numeric::Ordered& data) {
  const auto n = static_cast<Index>(data.groups());
  Places out{ArrayXd(n), ArrayXd(n), ArrayXd(n), ArrayXd(n)};
  const double all = static_cast<double>(data.total_mass());
  for (Index i = 0; i < n; ++i) {
    const auto g = static_cast<std::size_t>(i);
    out.share[i] = static_cast<double>(data.mass(g)) / all;
    out.hits[i] = static_cast<double>(data.hits(g)) / all;
    out.misses[i] = static_cast<double>(data.mass(g) - data.hits(g)) / all;
    out.score[i] = data.score(g);
  }
  return out;
}

// With one number of terms.
struct SignTerms {
  double mean = 0;     // of r sign(m)
  double noise = 0;    // mean standard error of m
  double flipped = 0;  // what wrong signs cost: mean of 2 |m| P(the sign of m is wrong)
};

// The sign of a - b: -1, 0 or 1. What is left by rounding has none.
double sign_of_difference(double a, double b) {
  const double x = a - b, sign = x > 0 ? 1.0 : -1.0;
  return std::abs(x) > 1e-13 * (std::abs(a) + std::abs(b)) ? sign : 0.0;
}

double wrong_sign(double m, double se) {
  const double size = std::abs(m);
  return size * std::erfc(size / (se * std::numbers::sqrt2));  // 2 |m| Phi(-|m| / se)
}

class Path {
 public:
  Path(const Places& places, const RankBasis& basis, double rows)
      : places_(places),
        basis_(basis),
        terms_(std::min(basis.terms(), most_terms)),
        n_(rows),
        phi_(basis.phi(0), places_.share.size(), static_cast<Index>(terms_),
             Eigen::OuterStride<>(static_cast<Index>(basis.stride()))) {
    rest_ = 1 - places_.score;
    gain_ = places_.hits * rest_;
    loss_ = places_.misses * places_.score;
    r_ = gain_ - loss_;
    r2_ = places_.hits * rest_.square() + places_.misses * places_.score.square();
  }

  [[nodiscard]] double mean_square() const { return r2_.sum(); }

  // flips: the cost of wrong signs too.
  [[nodiscard]] std::vector<SignTerms> run(bool flips) const {
    const MatrixXd spread = phi_.transpose() * (r2_.matrix().asDiagonal() * phi_);
    ArrayXd fit = ArrayXd::Zero(r_.size()), variance = fit, hit = fit, miss = fit, gained = fit, lost = fit;
    std::vector<SignTerms> out(terms_);
    for (Index k = 0; k < phi_.cols(); ++k) {
      const auto f = phi_.col(k).array();
      fit += (f * r_).sum() * f;
      Eigen::VectorXd row = 2 * spread.col(k).head(k + 1);
      row[k] = spread(k, k);
      variance += f * (phi_.leftCols(k + 1) * row).array();
      const ArrayXd se = (variance / n_).max(1e-300).sqrt();
      const Eigen::Map<const ArrayXd> odds(basis_.odds(static_cast<std::size_t>(k)), r_.size());
      // m of a hit and of a miss: the fit less what the row itself adds to it; 0 where the others predict nothing
      for (Index i = 0; i < r_.size(); ++i) {
        const bool predicted = odds[i] <= RankBasis::most_odds;
        const double all = predicted ? (1 + odds[i]) * fit[i] : 0.0, own_hit = predicted ? odds[i] * rest_[i] : 0.0,
                     own_miss = predicted ? -odds[i] * places_.score[i] : 0.0;
        hit[i] = all - own_hit;
        miss[i] = all - own_miss;
        gained[i] = gain_[i] * sign_of_difference(all, own_hit);
        lost[i] = loss_[i] * sign_of_difference(all, own_miss);
      }
      SignTerms& terms = out[static_cast<std::size_t>(k)];
      terms.mean = gained.sum() - lost.sum();
      terms.noise = (places_.share * se).sum();
      if (flips) terms.flipped = flipped(hit, miss, se);
    }
    return out;
  }

 private:
  [[nodiscard]] double flipped(const ArrayXd& hit, const ArrayXd& miss, const ArrayXd& se) const {
    double out = 0;
    for (Index i = 0; i < se.size(); ++i) {
      if (places_.hits[i] > 0) out += places_.hits[i] * wrong_sign(hit[i], se[i]);
      if (places_.misses[i] > 0) out += places_.misses[i] * wrong_sign(miss[i], se[i]);
    }
    return out;
  }

  const Places& places_;
  const RankBasis& basis_;
  std::size_t terms_;
  double n_;
  Eigen::Map<const MatrixXd, 0, Eigen::OuterStride<>> phi_;
  ArrayXd rest_;         // 1 - score
  ArrayXd gain_, loss_;  // what hits and misses add to r
  ArrayXd r_, r2_;
};

// Weights of the degrees, which sum to 1.
std::vector<double> weights_of(const std::vector<SignTerms>& path, double se) {
  std::vector<double> out;
  double largest = -HUGE_VAL;
  for (const SignTerms& t : path) {
    out.push_back((t.mean - t.noise / 2) / (se / 2));
    largest = std::max(largest, out.back());
  }
  double sum = 0;
  for (double& w : out) sum += w = std::exp(w - largest);
  for (double& w : out) w /= sum;
  return out;
}

double average(const std::vector<SignTerms>& path, const std::vector<double>& weight, double SignTerms::*what) {
  double out = 0;
  for (std::size_t k = 0; k < path.size(); ++k) out += weight[k] * (path[k].*what);
  return out;
}

// Standard errors of the two ends. More below: degrees were chosen for a large mean.
constexpr double z_low = 2.24, z_high = 1.96;

// The averages over the degrees.
struct SignRun {
  std::vector<SignTerms> path = {};
  std::vector<double> weight = {};
  double mean_square = 0, rows = 0, se = 0, mean = 0, wrong_signs = 0;

  SignRun(const Places& places, const RankBasis& basis, double n, bool details) : rows(n) {
    const Path on(places, basis, n);
    mean_square = on.mean_square();
    se = std::sqrt(mean_square / n);
    if (!(se > 0)) return;
    path = on.run(details);
    weight = weights_of(path, se);
    mean = average(path, weight, &SignTerms::mean);
    wrong_signs = average(path, weight, &SignTerms::flipped);
  }
  [[nodiscard]] double value() const { return std::max(mean, 0.0); }
  [[nodiscard]] double se_of(double x) const {
    return std::sqrt(std::max(mean_square - std::pow(std::max(x, 0.0), 2), 0.0) / rows);
  }
  [[nodiscard]] double low() const { return std::max(0.0, mean - z_low * se_of(mean)); }
  // Room for wrong signs, with the chosen degrees and with the highest.
  [[nodiscard]] double high() const {
    if (path.empty()) return 0;
    const double top = path.back().mean;
    return std::max(value() + z_high * se_of(mean) + wrong_signs,
                    std::max(top, 0.0) + z_high * se_of(top) + path.back().flipped);
  }
};

// The sample on its places.
template <std::size_t most>
struct OnPlaces {
  const GatheredRanks<most>& ranks;
  double rows;
  Places places;

  explicit OnPlaces(const Sample& sample)
      : ranks(sample.shared<GatheredRanks<most>>()),
        rows(sample.ordered().weight()),
        places(ranks.exact() ? places_of(sample.ordered()) : places_of(ranks.of(sample.ordered()))) {}
  [[nodiscard]] SignRun run(bool details) const { return {places, ranks.basis(), rows, details}; }
  [[nodiscard]] SignRun flipped(const numeric::Ordered& data) const {
    Places other = places;
    for (const Flip& flip : surest_rows(data)) {
      const auto i = static_cast<Index>(ranks.place_of(flip.group));
      const double share = static_cast<double>(flip.mass) / static_cast<double>(data.total_mass());
      other.hits[i] += flip.hit ? -share : share;
      other.misses[i] += flip.hit ? share : -share;
    }
    return {other, ranks.basis(), rows, true};
  }
};

// Below: 0 unless the squared error, at the degree that rank_poly takes, is clearly above its noise. Above: the mean
// gap is never larger than the root mean square gap, so not above the end of that interval; where bins show a rough
// curve, up to it, and where they may, further away by as much as that end.
PartEnds plain_ends(const Sample& sample, const SignRun& run, const RankInterval& squares) {
  PartEnds out{.value = run.value()};
  if (squares.clear && !too_few(sample)) out.low = run.low();
  const double high =
      too_few(sample) ? 1 : std::max(std::min(run.high(), squares.high) * squares.rough_factor, squares.rough_high);
  out.high = std::max(bounded(sample, high, 1), out.value);
  return out;
}

// The same, and had two of the surest labels gone the other way.
PartEnds wary_ends(const Sample& sample, const SignRun& run, const SignRun& flipped, const RankInterval& squares) {
  PartEnds out = plain_ends(sample, run, squares);
  if (too_few(sample)) return out;
  const double high = bounded(sample, std::min(flipped.high(), squares.flipped_high), 1);
  out.high = std::max(out.high, std::min(high, squares.ends.high));
  return out;
}

// By parts where some rows are certain (certain_rows.hpp).
ValueInterval interval_of(const Sample& sample, const OnPlaces<fine_places>& places, const SignRun& run,
                          const RankInterval& squares) {
  const RowParts parts = parts_of(sample);
  if (parts.certain.empty()) {
    const PartEnds ends = wary_ends(sample, run, places.flipped(sample.ordered()), squares);
    return {ends.low, ends.high};
  }
  return from_parts(plain_ends(sample, run, squares), parts, 1, [](const Sample& others) {
    if (too_few(others)) return unknown_ends(others, 1);
    const OnPlaces<fine_places> on(others);
    return wary_ends(others, on.run(true), on.flipped(others.ordered()), rank_poly_interval(others));
  });
}

Estimate in_detail(const Sample& sample, const OnPlaces<fine_places>& places) {
  const SignRun run = places.run(true);
  const RankInterval squares = rank_poly_interval(sample);
  Estimate out{.value = run.value()};
  out.interval = interval_of(sample, places, run, squares);
  out.note = squares.note;
  out.parts = {{"mean", run.mean}, {"se", run.se}, {"wrong_signs", run.wrong_signs}};
  return out;
}

}  // namespace

Result<Estimate> rank_sign(const Sample& sample, const Options& options) {
  if (auto refused = rank_refusal(rank_sign_estimator, sample, options)) return *refused;
  if (options.gathered) return Estimate{.value = OnPlaces<coarse_places>(sample).run(false).value()};
  const OnPlaces<fine_places> places(sample);
  return options.details ? in_detail(sample, places) : Estimate{.value = places.run(false).value()};
}

constinit const Estimator rank_sign_estimator{
    {.name = "rank_sign",
     .title = "leave-one-out mean gap by the sign of polynomials in rank",
     .summary = "mean gap, counted in the direction that the other rows predict: noise adds nothing to it",
     .citation = "this project, docs/methods/rank_sign.md",
     .estimand = "tce",
     .norms = Norms::one,
     .interval = {.method = IntervalMethod::own, .words = "95% with room for wrong signs"},
     .left_alone = adds_noise,
     .roles = {.mean_gap = true, .compared = 2}},
    {.run = rank_sign}};

}  // namespace tare::detail::measure
