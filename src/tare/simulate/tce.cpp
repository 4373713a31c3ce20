#include <fmt/format.h>

#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/roots.hpp>

#include "tare/core/options.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/special.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {
namespace {

// c - T(c), from the complements where those are the smaller numbers; 0 where nothing but rounding is left.
double gap(const Curve& curve, ScorePoint p) {
  const double g = p.c < 0.5 ? p.c - curve.hit(p) : curve.miss(p) - p.u;
  return std::abs(g) < 1e-13 * std::min(p.c, p.u) ? 0 : g;
}

// The gap of a power law: |x - k x^s| with x of Beta(p, q), where x is c, or 1 - c with the parameters swapped.
struct PowerLaw {
  double k = 1;
  double s = 1;
  double p = 1;
  double q = 1;

  [[nodiscard]] double moment(double r) const {
    return numeric::tgamma_delta_ratio(p + q, r) / numeric::tgamma_delta_ratio(p, r);
  }
};

std::optional<PowerLaw> power_law(const Curve& curve, double alpha, double beta) {
  const auto& b = curve.coefficients;
  const std::string_view name = curve.family->name;
  if (name == "power") return PowerLaw{1, b[0], alpha, beta};
  if (name == "flipped_power") return PowerLaw{1, b[0], beta, alpha};
  if (name == "log_log") return PowerLaw{std::exp(b[0]), b[1], alpha, beta};
  if (name == "logflip_logflip") return PowerLaw{std::exp(b[0]), b[1], beta, alpha};
  return {};
}

// A difference of larger numbers: the value, and the size of what was subtracted.
struct Difference {
  double value = 0;
  double size = 0;
};

// E |x - k x^s|
Difference mean_gap(const PowerLaw& law) {
  const double linear = law.moment(1), power = law.k * law.moment(law.s);
  const double all = linear - power;
  const double turn = law.s == 1 ? 1 : std::pow(law.k, 1 / (1 - law.s));  // where x = k x^s
  if (!(turn > 0 && turn < 1)) return {std::abs(all), linear};
  using numeric::ibeta;
  using numeric::ibetac;
  const double below = linear * ibeta(law.p + 1, law.q, turn) - power * ibeta(law.p + law.s, law.q, turn);
  const double above = linear * ibetac(law.p + 1, law.q, turn) - power * ibetac(law.p + law.s, law.q, turn);
  return {std::abs(below) + std::abs(above), linear};
}

// E (x - k x^s)^2
Difference mean_square_gap(const PowerLaw& law) {
  const double square = law.moment(2);
  return {square - 2 * law.k * law.moment(1 + law.s) + law.k * law.k * law.moment(2 * law.s), square};
}

// E |c - T|^norm by quadrature. Above c = 1/2 the variable is t = u^min(beta, 1), below it c^min(alpha, 1): the
// integrand is bounded, and the half of the mass that Beta(2.78, 0.048) has below u = 1e-6 is half of the range of t.
class Integral {
 public:
  Integral(const Curve& curve, double alpha, double beta, int norm)
      : curve_(curve), alpha_(alpha), beta_(beta), norm_(norm) {
    log_beta_ = numeric::log_gamma(alpha) + numeric::log_gamma(beta) - numeric::log_gamma(alpha + beta);
  }

  [[nodiscard]] double value() const {
    const std::vector<ScorePoint> at = cuts();
    double sum = 0;
    for (std::size_t i = 1; i < at.size(); ++i) sum += piece(at[i - 1], at[i]);
    return sum;
  }

 private:
  [[nodiscard]] std::vector<ScorePoint> cuts() const {
    std::vector<ScorePoint> out =
        curve_.family->breaks ? curve_.family->breaks(curve_.coefficients) : crossings(curve_);
    out.push_back({0, 1});
    out.push_back({0.5, 0.5});
    out.push_back({1, 0});
    const double total = alpha_ + beta_, mean = alpha_ / total, sd = std::sqrt(mean * (1 - mean) / (total + 1));
    for (const double d : {-12.0, -4.0, 0.0, 4.0, 12.0})  // a narrow distribution must not fall between the nodes
      if (mean + d * sd > 0 && mean + d * sd < 1) out.push_back({mean + d * sd, beta_ / total - d * sd});
    std::ranges::sort(out, [](ScorePoint a, ScorePoint b) { return a.c < b.c || (a.c == b.c && a.u > b.u); });
    return out;
  }

  // From a up to b, both on one side of 1/2.
  [[nodiscard]] double piece(ScorePoint a, ScorePoint b) const {
    const bool upper = a.c >= 0.5;
    const double end = upper ? beta_ : alpha_, far = upper ? alpha_ : beta_;  // exponents of x and of 1 - x, plus 1
    const double power = std::min(end, 1.0);
    const auto f = [=, this](double t) {
      const double x = power == 1 ? t : std::pow(t, 1 / power);
      const double g = std::abs(gap(curve_, upper ? ScorePoint{1 - x, x} : ScorePoint{x, 1 - x}));
      const double log_density = (far - 1) * std::log1p(-x) + (end > 1 ? (end - 1) * std::log(t) : 0) - log_beta_;
      return (norm_ == 1 ? g : g * g) * std::exp(log_density) / power;
    };
    const double from = std::pow(upper ? b.u : a.c, power), to = std::pow(upper ? a.u : b.c, power);
    return from < to ? integrate(f, from, to, 0) : 0;
  }

  // Double exponential: ends where the integrand is a fractional power are no trouble. Nodes are placed by their
  // distance from the nearer end, which the plain overload rounds away (and asserts) on short intervals.
  template <class F>
  double integrate(const F& f, double from, double to, int depth) const {
    static thread_local boost::math::quadrature::tanh_sinh<double> rule(9);
    const double half = (to - from) / 2;
    double error = 0, size = 0;
    const double value = half * rule.integrate(
                                    [&](double z, double to_end) {
                                      return f(z < 0 ? from + half * std::abs(to_end) : to - half * std::abs(to_end));
                                    },
                                    1e-11, &error, &size);
    if (error <= 1e-11 * size || depth == 10) return value;
    return integrate(f, from, from + half, depth + 1) + integrate(f, from + half, to, depth + 1);
  }

  const Curve& curve_;
  double alpha_;
  double beta_;
  int norm_;
  double log_beta_ = 0;
};

Result<double> mean_power(const Truth& truth, const Curve& curve, int norm) {
  if (truth.scores.kind == ScoreKind::empirical) {
    if (truth.scores.values.empty()) return Error{Errc::undefined, "there are no scores"};
    const Scores& s = truth.scores;
    const double scale =
        s.weight() < 1 ? std::ldexp(1, -std::ilogb(s.weight())) : 1;  // 60 bits after the point are kept
    numeric::ExactSum sum;
    for (std::size_t i = 0; i < s.values.size(); ++i) {
      const double g = std::abs(gap(curve, s.values[i]));
      const double weight = s.ends.empty() ? 1 : s.ends[i] - (i > 0 ? s.ends[i - 1] : 0);
      sum.add(norm == 1 ? g : g * g, weight * scale);
    }
    return sum.value() / (s.weight() * scale);
  }
  const bool uniform = truth.scores.kind == ScoreKind::uniform;
  const double alpha = uniform ? 1 : truth.scores.alpha, beta = uniform ? 1 : truth.scores.beta;
  if (!(alpha > 0 && beta > 0 && std::isfinite(alpha) && std::isfinite(beta)))
    return Error{.code = Errc::bad_option,
                 .what = fmt::format("there is no Beta distribution with parameters {} and {}", alpha, beta),
                 .remedy = "both must be above 0"};
  if (const auto law = power_law(curve, alpha, beta)) {
    if (law->p + norm * law->s <= 0)
      return Error{Errc::undefined,
                   fmt::format("the curve {} grows so fast that its mean distance from the identity is infinite",
                               curve.family->name)};
    const Difference d = norm == 1 ? mean_gap(*law) : mean_square_gap(*law);
    if (d.value > 1e-3 * d.size) return d.value;  // else digits are lost in the difference
  }
  return Integral(curve, alpha, beta, norm).value();
}

// Boost throws where a number overflows.
Result<double> guarded_mean_power(const Truth& truth, const Curve& curve, int norm) {
  try {
    return mean_power(truth, curve, norm);
  } catch (const std::exception&) {
    return Error{Errc::undefined, fmt::format("the true calibration error of {} cannot be computed", to_text(curve))};
  }
}

ScorePoint from_logit(double z) { return {1 / (1 + std::exp(-z)), 1 / (1 + std::exp(z))}; }

// The gap relative to the smaller of c and 1 - c, as a function of the log-odds.
struct Gap {
  const Curve& curve;
  double operator()(double z) const {
    const ScorePoint p = from_logit(z);
    return gap(curve, p) / std::min(p.c, p.u);
  }
};

double root(const Gap& f, double left, double right) {
  std::uintmax_t calls = 200;
  const auto [a, b] =
      boost::math::tools::toms748_solve(f, left, right, boost::math::tools::eps_tolerance<double>(52), calls);
  return (a + b) / 2;
}

}  // namespace

Result<double> true_error(const Truth& truth, int norm) {
  if (const auto fine = in_range(options::norm, norm); !fine) return fine.error();
  Curve full = truth.curve;
  full.strength = 1;
  const auto mean = guarded_mean_power(truth, full, norm);
  if (!mean) return mean;
  const double error = truth.curve.strength * (norm == 1 ? *mean : std::sqrt(*mean));
  if (!std::isfinite(error)) return Error{Errc::undefined, "the true calibration error is not finite"};
  return error;
}

std::vector<ScorePoint> crossings(const Curve& curve) {
  // Log-odds from -700 to 700, where c or 1 - c nearly underflows; 0.004 apart in the middle.
  constexpr int half = 1000;
  const auto grid = [](int i) { return 700 * std::sinh(8.0 * i / half) / std::sinh(8.0); };
  const Gap f{curve};
  std::vector<double> z, value;  // where the gap is not 0
  for (int i = -half; i <= half; ++i) {
    const double g = f(grid(i));
    if (g == 0) continue;
    z.push_back(grid(i));
    value.push_back(g);
  }
  std::vector<ScorePoint> out;
  for (std::size_t i = 1; i < z.size(); ++i) {
    if ((value[i - 1] < 0) != (value[i] < 0)) {
      out.push_back(from_logit(root(f, z[i - 1], z[i])));
      continue;
    }
    // A dip towards 0 between three neighbours may hide two crossings.
    if (i + 1 == z.size() || (value[i] < 0) != (value[i + 1] < 0)) continue;
    const double here = std::abs(value[i]);
    if (here > std::abs(value[i - 1]) || here > std::abs(value[i + 1])) continue;
    const double sign = value[i] < 0 ? -1 : 1;
    const auto [lowest, depth] =
        boost::math::tools::brent_find_minima([&](double x) { return sign * f(x); }, z[i - 1], z[i + 1], 40);
    if (depth >= 0) continue;
    out.push_back(from_logit(root(f, z[i - 1], lowest)));
    out.push_back(from_logit(root(f, lowest, z[i + 1])));
    ++i;
  }
  return out;
}

}  // namespace tare::detail::simulate
