#include "tare/infer/tests/cox.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "tare/numeric/simd/softmax.hpp"
#include "tare/numeric/solve/small_newton.hpp"

namespace tare::detail::infer {
namespace {

// Groups of equal scores inside (0, 1).
struct Groups {
  std::vector<double> logit, mass, hits;
  double first_hit = 0, last_hit = 0, first_miss = 0, last_miss = 0;  // logits
  bool any_hit = false, any_miss = false;

  explicit Groups(const numeric::Ordered& data) {
    const double unit = static_cast<double>(data.unit());
    for (std::size_t g = 0; g < data.groups(); ++g) {
      const double s = data.score(g);
      if (s == 0 || s == 1) continue;
      const double l = s > 0.5 ? std::log(s) - std::log(1 - s) : std::log(s) - std::log1p(-s);
      logit.push_back(l);
      mass.push_back(static_cast<double>(data.mass(g)) / unit);
      hits.push_back(static_cast<double>(data.hits(g)) / unit);
      if (data.hits(g) > 0) {
        if (!any_hit) first_hit = l;
        last_hit = l;
        any_hit = true;
      }
      if (data.hits(g) < data.mass(g)) {
        if (!any_miss) first_miss = l;
        last_miss = l;
        any_miss = true;
      }
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
  return Error{.code = Errc::undefined, .what = "the fit of Cox's model did not converge", .remedy = {}};
}

const char* const no_inside = "no score lies strictly between 0 and 1, so there are no log-odds";

}  // namespace

Result<CoxLine> cox_line(const measure::Sample& sample) {
  const Groups groups(sample.ordered());
  if (groups.logit.empty()) return Error{.code = Errc::undefined, .what = no_inside, .remedy = {}};
  if (!groups.any_hit || !groups.any_miss || groups.first_hit >= groups.last_miss ||
      groups.first_miss >= groups.last_hit)
    return Error{.code = Errc::undefined,
                 .what = "the scores separate hits from misses: no finite slope fits best",
                 .remedy = {}};
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
  if (groups.logit.empty()) return Error{.code = Errc::undefined, .what = no_inside, .remedy = {}};
  if (!groups.any_hit || !groups.any_miss)
    return Error{
        .code = Errc::undefined,
        .what = std::string("every label is ") + (groups.any_hit ? "1" : "0") + ": no finite intercept fits best",
        .remedy = {}};
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

}  // namespace tare::detail::infer
