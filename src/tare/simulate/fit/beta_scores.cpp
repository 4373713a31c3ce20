#include "tare/simulate/fit/fit_truth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/numeric/parallel.hpp"
#include "tare/numeric/solve/small_newton.hpp"
#include "tare/numeric/special.hpp"

namespace tare::detail::simulate {
namespace {

// What the likelihood depends on.
struct Sums {
  double rows = 0;
  double high = 0;  // censored
  double low = 0;
  double log_c = 0;  // sums over the others
  double log_u = 0;
  double mean = 0;  // of all scores, for a first guess
  double square = 0;
  std::size_t distinct = 0;  // scores that are not saturated
};

Sums sums_of(const numeric::Ordered& scores, Saturated saturated) {
  Sums out;
  const bool censor = saturated == Saturated::censor;
  for (std::size_t g = 0; g < scores.groups(); ++g) {
    numeric::stop_if_asked_at(g);
    const double weight = static_cast<double>(scores.mass(g)) / static_cast<double>(scores.unit());
    if (weight == 0) continue;
    double c = scores.score(g);
    if (!censor) c = std::max(c - 1e-16, 1e-16);
    out.rows += weight;
    out.mean += weight * c;
    out.square += weight * c * c;
    if (censor && saturated_high(c)) {
      out.high += weight;
    } else if (censor && saturated_low(c)) {
      out.low += weight;
    } else {
      ++out.distinct;
      out.log_c += weight * log_of_score({c, 1 - c});
      out.log_u += weight * log_of_complement({c, 1 - c});
    }
  }
  out.mean /= out.rows;
  out.square /= out.rows;
  return out;
}

// A function of a and b with its derivatives.
struct Derivatives {
  double value = 0;
  double a = 0, b = 0;
  double aa = 0, ab = 0, bb = 0;

  [[nodiscard]] Derivatives swapped() const { return {value, b, a, bb, ab, aa}; }
  void add(double times, const Derivatives& other) {
    value += times * other.value;
    a += times * other.a;
    b += times * other.b;
    aa += times * other.aa;
    ab += times * other.ab;
    bb += times * other.bb;
  }
};

// ln of the integral of u^(b-1) (1-u)^(a-1) from 0 to e: e^b times the series
// sum over k of (1-a)_k e^k / (k! (b+k)), which for e near 2^-20 ends after a few terms.
Derivatives log_tail(double a, double b, double e) {
  double r = 1, r_a = 0, r_aa = 0;  // (1-a)_k e^k / k! and its derivatives in a
  double s = 0, s_a = 0, s_b = 0, s_aa = 0, s_ab = 0, s_bb = 0;
  for (int k = 0; k < 300; ++k) {
    const double d = 1 / (b + k);
    s += r * d;
    s_a += r_a * d;
    s_aa += r_aa * d;
    s_b -= r * d * d;
    s_ab -= r_a * d * d;
    s_bb += 2 * r * d * d * d;
    if (k > 2 && std::abs(r) + std::abs(r_a) + std::abs(r_aa) < 1e-30) break;
    const double f = e * (k + 1 - a) / (k + 1), f_a = -e / (k + 1);
    r_aa = r_aa * f + 2 * r_a * f_a;
    r_a = r_a * f + r * f_a;
    r = r * f;
  }
  const double a1 = s_a / s, b1 = s_b / s, log_e = std::log(e);
  return {b * log_e + std::log(s), a1, log_e + b1, s_aa / s - a1 * a1, s_ab / s - a1 * b1, s_bb / s - b1 * b1};
}

// The information that uncensored scores would carry: the curvature of rows * ln B(a, b), always positive definite.
Derivatives log_beta_function(double a, double b) {
  using numeric::digamma;
  using numeric::trigamma;
  const double total = trigamma(a + b), psi = digamma(a + b);
  return {numeric::log_gamma(a) + numeric::log_gamma(b) - numeric::log_gamma(a + b),
          digamma(a) - psi,
          digamma(b) - psi,
          trigamma(a) - total,
          -total,
          trigamma(b) - total};
}

// The log-likelihood.
Derivatives likelihood(const Sums& s, double a, double b) {
  Derivatives out{(a - 1) * s.log_c + (b - 1) * s.log_u, s.log_c, s.log_u};
  out.add(-s.rows, log_beta_function(a, b));
  if (s.high > 0) out.add(s.high, log_tail(a, b, saturation));
  if (s.low > 0) out.add(s.low, log_tail(b, a, saturation).swapped());
  return out;
}

constexpr double largest = 1e7;  // of a parameter: beyond it the scores are one number

// The negative log-likelihood.
struct BetaProblem {
  using Vector = numeric::SmallVector<2>;
  struct Evaluation {
    double value = 0;
    Vector gradient = {};
    numeric::SmallMatrix<2> hessian = {};
  };
  // Where censoring bends it the wrong way, the information of uncensored scores is the curvature.
  [[nodiscard]] Evaluation at(const Vector& x) const {
    const Derivatives d = likelihood(s, x[0], x[1]);
    double aa = -d.aa, ab = -d.ab, bb = -d.bb;
    if (!(aa > 0 && aa * bb > ab * ab)) {
      const Derivatives full = log_beta_function(x[0], x[1]);
      aa = s.rows * full.aa, ab = s.rows * full.ab, bb = s.rows * full.bb;
    }
    return {-d.value, {-d.a, -d.b}, {{{aa, ab}, {ab, bb}}}};
  }
  // The gradient in the logarithms of the parameters, per row.
  [[nodiscard]] double residual(const Vector& x, const Evaluation& at, const Vector&) const {
    return std::max(std::abs(at.gradient[0]) * x[0], std::abs(at.gradient[1]) * x[1]) / s.rows;
  }
  // By at most a factor of 10 at once.
  [[nodiscard]] static double longest(const Vector& x, const Vector& step) {
    double out = 1;
    for (std::size_t j = 0; j < 2; ++j) out = std::min(out, step[j] < 0 ? -0.9 * x[j] / step[j] : 9 * x[j] / step[j]);
    return out;
  }
  [[nodiscard]] static bool strays(const Vector& x) { return std::max(x[0], x[1]) > largest; }

  const Sums& s;
};

void climb(const Sums& s, BetaFit& fit) {
  BetaProblem problem{s};
  const auto best = numeric::small_newton<2>(problem, {fit.alpha, fit.beta}, {.residual = 1e-13, .enough = 1e-12});
  fit.alpha = best.x[0];
  fit.beta = best.x[1];
  fit.gradient = best.residual;
  fit.iterations = best.iterations;
}

}  // namespace

Result<BetaFit> fit_beta_scores(const numeric::Ordered& scores, Saturated saturated) {
  const Sums s = sums_of(scores, saturated);
  if (s.distinct == 0)
    return Error{.code = Errc::undefined,
                 .what = "every score lies within 2^-20 of 0 or 1, so no Beta distribution can be fitted",
                 .remedy = "resample the scores instead of fitting them"};
  const Error constant{.code = Errc::undefined,
                       .what = "the scores are so nearly equal that no Beta distribution can be fitted",
                       .remedy = "resample the scores instead of fitting them"};
  if (s.distinct == 1 && s.high + s.low == 0) return constant;
  const double variance = std::max(s.square - s.mean * s.mean, 1e-12);
  const double size = std::clamp(s.mean * (1 - s.mean) / variance - 1, 0.05, 1e6);
  BetaFit fit{.saturated = saturated,
              .alpha = std::max(s.mean * size, 1e-3),
              .beta = std::max((1 - s.mean) * size, 1e-3),
              .rows = s.rows,
              .high = s.high,
              .low = s.low};
  climb(s, fit);
  if (std::max(fit.alpha, fit.beta) > largest) return constant;
  if (fit.gradient > 1e-9) fit.status = FitStatus::iteration_limit;
  const Derivatives end = likelihood(s, fit.alpha, fit.beta);
  const double det = end.aa * end.bb - end.ab * end.ab;
  if (det > 0 && end.aa < 0) {
    fit.alpha_error = std::sqrt(-end.bb / det);
    fit.beta_error = std::sqrt(-end.aa / det);
  }
  fit.nll = -end.value;
  fit.aic = 4 + 2 * fit.nll;
  return fit;
}

}  // namespace tare::detail::simulate
