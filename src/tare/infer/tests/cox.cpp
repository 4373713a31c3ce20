#include "tare/infer/tests/cox.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "tare/numeric/simd/exp.hpp"

namespace tare::inner::infer {
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

// First and second derivatives of the negative log-likelihood.
struct Derivatives {
  double a = 0, b = 0;
  double aa = 0, ab = 0, bb = 0;
};

class Likelihood {
 public:
  explicit Likelihood(const Groups& groups) : groups_(groups), e_(groups.logit.size()) {}

  Derivatives at(double a, double b) {
    const std::size_t n = e_.size();
    for (std::size_t g = 0; g < n; ++g) e_[g] = -std::abs(a + b * groups_.logit[g]);
    numeric::exp_all(e_);
    Derivatives out;
    for (std::size_t g = 0; g < n; ++g) {
      const double l = groups_.logit[g], m = groups_.mass[g], h = groups_.hits[g];
      const double small = e_[g] / (1 + e_[g]);  // the smaller of P(hit) and P(miss)
      const double excess = a + b * l >= 0 ? (m - h) - m * small : m * small - h;
      const double variance = m * small * (1 - small);
      out.a += excess;
      out.b += excess * l;
      out.aa += variance;
      out.ab += variance * l;
      out.bb += variance * l * l;
    }
    return out;
  }

 private:
  const Groups& groups_;
  std::vector<double> e_;
};

struct Coefficients {
  double a = 0, b = 1;
};

Coefficients newton_step(const Derivatives& d, bool slope) {
  if (!slope) return {-d.a / d.aa, 0};
  const double det = d.aa * d.bb - d.ab * d.ab;
  return {(-d.a * d.bb + d.b * d.ab) / det, (-d.b * d.aa + d.a * d.ab) / det};
}

double along(const Derivatives& d, const Coefficients& step) { return d.a * step.a + d.b * step.b; }
double curvature_along(const Derivatives& d, const Coefficients& step) {
  return step.a * step.a * d.aa + 2 * step.a * step.b * d.ab + step.b * step.b * d.bb;
}

// Newton's method from calibration. The likelihood is concave, so a step that ends where it falls steeply again, or
// beyond the maximum where it is flat, has gone too far and is halved.
Result<Coefficients> fit(const Groups& groups, bool slope) {
  Likelihood likelihood(groups);
  Coefficients at;
  Derivatives d = likelihood.at(at.a, at.b);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Coefficients step = newton_step(d, slope);
    const double promised = -along(d, step);
    if (!std::isfinite(promised)) break;
    if (promised < 1e-22 * d.aa) return at;
    for (double t = 1;; t /= 2) {
      const Coefficients to{at.a + t * step.a, at.b + t * step.b};
      const Derivatives next = likelihood.at(to.a, to.b);
      const double beyond = along(next, step);
      const bool too_far =
          beyond > 0.5 * promised || (beyond > 0 && curvature_along(next, step) < 0.1 * curvature_along(d, step));
      if (too_far && t > 0x1p-60) continue;
      at = to;
      d = next;
      break;
    }
  }
  return Error{.code = Errc::undefined, .what = "the fit of Cox's model did not converge", .remedy = {}};
}

const char* const no_inside = "no score lies strictly between 0 and 1, so there are no log-odds";

}  // namespace

Result<double> cox_slope(const measure::Sample& sample) {
  const Groups groups(sample.ordered());
  if (groups.logit.empty()) return Error{.code = Errc::undefined, .what = no_inside, .remedy = {}};
  if (!groups.any_hit || !groups.any_miss || groups.first_hit >= groups.last_miss ||
      groups.first_miss >= groups.last_hit)
    return Error{.code = Errc::undefined,
                 .what = "the scores separate hits from misses: no finite slope fits best",
                 .remedy = {}};
  const auto line = fit(groups, true);
  if (!line) return line.error();
  return line->b;
}

Result<double> cox_intercept(const measure::Sample& sample) {
  const Groups groups(sample.ordered());
  if (groups.logit.empty()) return Error{.code = Errc::undefined, .what = no_inside, .remedy = {}};
  if (!groups.any_hit || !groups.any_miss)
    return Error{
        .code = Errc::undefined,
        .what = std::string("every label is ") + (groups.any_hit ? "1" : "0") + ": no finite intercept fits best",
        .remedy = {}};
  const auto line = fit(groups, false);
  if (!line) return line.error();
  return line->a;
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

}  // namespace tare::inner::infer
