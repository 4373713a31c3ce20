#include <cmath>
#include <string>
#include <vector>

#include "tare/infer/tests/classical.hpp"
#include "tare/numeric/order/bin_walk.hpp"
#include "tare/numeric/simd/softmax.hpp"
#include "tare/numeric/solve/small_newton.hpp"

namespace tare::detail::infer {
namespace {

// Groups of equal scores inside (0, 1), as log-odds in ascending order.
struct Groups {
  struct Ends {
    double first = 0, last = 0;
    bool any = false;
    void see(double l) {
      if (!any) first = l;
      last = l;
      any = true;
    }
  };
  std::vector<double> logit, mass, hits;
  Ends hit, miss;

  explicit Groups(const numeric::Ordered& data) {
    const double unit = static_cast<double>(data.unit());
    for (std::size_t g = 0; g < data.groups(); ++g) {
      const double s = data.score(g);
      if (s == 0 || s == 1) continue;
      const double l = s > 0.5 ? std::log(s) - std::log(1 - s) : std::log(s) - std::log1p(-s);
      logit.push_back(l);
      mass.push_back(static_cast<double>(data.mass(g)) / unit);
      hits.push_back(static_cast<double>(data.hits(g)) / unit);
      if (data.hits(g) > 0) hit.see(l);
      if (data.hits(g) < data.mass(g)) miss.see(l);
    }
  }
};

// First and second derivatives of the negative log-likelihood in the intercept a and, with D = 2, in the slope b, which
// else is 1. Its value would cost a logarithm per group, and it is convex: the slopes are enough.
template <std::size_t D>
class CoxProblem {
 public:
  using Vector = numeric::SmallVector<D>;
  struct Evaluation {
    Vector gradient = {};
    numeric::SmallMatrix<D> hessian = {};
  };

  explicit CoxProblem(const Groups& groups) : groups_(groups), e_(groups.logit.size()) {}

  Evaluation at(const Vector& x) {
    const double a = x[0], b = D == 2 ? x[D - 1] : 1;
    const std::size_t n = e_.size();
    for (std::size_t g = 0; g < n; ++g) e_[g] = -std::abs(a + b * groups_.logit[g]);
    numeric::exp_all(e_);
    double d_a = 0, d_b = 0, aa = 0, ab = 0, bb = 0;
    for (std::size_t g = 0; g < n; ++g) {
      const double l = groups_.logit[g], m = groups_.mass[g], h = groups_.hits[g];
      const double small = e_[g] / (1 + e_[g]);  // the smaller of P(hit) and P(miss)
      const double excess = a + b * l >= 0 ? (m - h) - m * small : m * small - h;
      const double variance = m * small * (1 - small);
      d_a += excess;
      d_b += excess * l;
      aa += variance;
      ab += variance * l;
      bb += variance * l * l;
    }
    if constexpr (D == 2)
      return {{d_a, d_b}, {{{aa, ab}, {ab, bb}}}};
    else
      return {{d_a}, {{{aa}}}};
  }

  // About the length of the step, were it one of the intercept.
  static double residual(const Vector&, const Evaluation& at, const Vector& step) {
    return std::sqrt(-numeric::dot(at.gradient, step) / at.hessian[0][0]);
  }

 private:
  const Groups& groups_;
  std::vector<double> e_;
};

// From calibration on.
template <std::size_t D>
using Fitted = numeric::SmallMinimum<D, typename CoxProblem<D>::Evaluation>;
template <std::size_t D>
Result<Fitted<D>> fit(const Groups& groups, const numeric::SmallVector<D>& calibrated) {
  constexpr double converged = 1e-11;
  CoxProblem<D> problem(groups);
  const auto best = numeric::small_newton<D>(problem, calibrated, {.residual = converged, .max_iterations = 100});
  if (best.residual <= converged) return best;
  return Error{Errc::undefined, "the fit of Cox's model did not converge"};
}

const char* const no_inside = "no score lies strictly between 0 and 1, so there are no log-odds";

}  // namespace

Result<CoxLine> cox_line(const measure::Sample& sample) {
  const Groups groups(sample.ordered());
  if (groups.logit.empty()) return Error{Errc::undefined, no_inside};
  const Groups::Ends &hit = groups.hit, &miss = groups.miss;
  if (!hit.any || !miss.any || hit.first >= miss.last || miss.first >= hit.last)
    return Error{Errc::undefined, "the scores separate hits from misses: no finite slope fits best"};
  const auto line = fit<2>(groups, {0, 1});
  if (!line) return line.error();
  const auto& h = line->at.hessian;
  return CoxLine{line->x[1], std::sqrt(h[0][0] / (h[0][0] * h[1][1] - h[0][1] * h[1][0]))};
}

Result<double> cox_slope(const measure::Sample& sample) {
  const auto line = cox_line(sample);
  if (!line) return line.error();
  return line->slope;
}

Result<double> cox_intercept(const measure::Sample& sample) {
  const Groups groups(sample.ordered());
  if (groups.logit.empty()) return Error{Errc::undefined, no_inside};
  if (!groups.hit.any || !groups.miss.any)
    return Error{Errc::undefined,
                 std::string("every label is ") + (groups.hit.any ? "1" : "0") + ": no finite intercept fits best"};
  const auto line = fit<1>(groups, {0});
  if (!line) return line.error();
  return line->x[0];
}

constinit const Test cox_slope_test{
    .name = "cox_slope",
    .title = "Cox calibration slope",
    .summary = "slope of the labels' log-odds on the scores' log-odds; below 1: scores too extreme",
    .citation = "Cox 1958; Miller et al. 1993",
    .two_sided = true,
    .statistic = cox_slope};

constinit const Test cox_intercept_test{
    .name = "cox_intercept",
    .title = "Cox calibration intercept",
    .summary = "shift of the log-odds that makes the scores right on average; below 0: scores too high",
    .citation = "Cox 1958; Miller et al. 1993",
    .two_sided = true,
    .statistic = cox_intercept};

Result<double> hosmer_lemeshow(const measure::Sample& sample) {
  constexpr std::size_t groups_of_risk = 10;
  const numeric::Ordered& data = sample.ordered();
  const double unit = static_cast<double>(data.unit());
  double sum = 0;
  bool any = false;
  numeric::for_each_bin(data, numeric::Binning::mass, groups_of_risk, [&](std::size_t, numeric::GroupRange r) {
    // Expected hits and expected misses, each summed by itself: near 1 the difference of n and E would be rounding.
    double expected_hits = 0, expected_misses = 0;
    for (std::size_t g = r.from; g < r.to; ++g) {
      const double mass = static_cast<double>(data.mass(g)) / unit;
      expected_hits += mass * data.score(g);
      expected_misses += mass * (1 - data.score(g));
    }
    const double variance = expected_hits * expected_misses / (expected_hits + expected_misses);
    if (!(variance > 0)) return;
    const std::uint64_t mass = data.mass_before(r.to) - data.mass_before(r.from);
    const std::uint64_t hits = data.hits_before(r.to) - data.hits_before(r.from);
    const double excess = expected_hits < expected_misses ? static_cast<double>(hits) / unit - expected_hits
                                                          : expected_misses - static_cast<double>(mass - hits) / unit;
    sum += excess * excess / variance;
    any = true;
  });
  if (!any) return labels_cannot_vary();
  return sum;
}

constinit const Test hosmer_lemeshow_test{
    .name = "hosmer_lemeshow",
    .title = "Hosmer-Lemeshow C",
    .summary = "squared excess of hits over ten groups of equal counts, each in units of its variance",
    .citation = "Hosmer and Lemeshow 1980",
    .statistic = hosmer_lemeshow};

Result<double> spiegelhalter(const measure::Sample& sample) {
  const numeric::Ordered& data = sample.ordered();
  const double unit = static_cast<double>(data.unit());
  double sum = 0, variance = 0;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    const double s = data.score(g), lean = 1 - 2 * s;
    const double hits = static_cast<double>(data.hits(g)) / unit;
    const double misses = static_cast<double>(data.mass(g) - data.hits(g)) / unit;
    sum += (hits * (1 - s) - misses * s) * lean;
    variance += (hits + misses) * s * (1 - s) * lean * lean;
  }
  if (!(variance > 0))
    return Error{Errc::undefined, "every score is 0, 1/2 or 1: the Brier score of a calibrated model cannot vary"};
  return sum / std::sqrt(variance);
}

constinit const Test spiegelhalter_test{
    .name = "spiegelhalter",
    .title = "Spiegelhalter's Z",
    .summary = "the Brier score against what the scores promise; positive: worse than promised",
    .citation = "Spiegelhalter 1986",
    .two_sided = true,
    .statistic = spiegelhalter};

}  // namespace tare::detail::infer
