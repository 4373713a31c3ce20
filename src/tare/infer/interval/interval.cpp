#include "tare/infer/interval/interval.hpp"

#include <algorithm>
#include <cmath>

namespace tare::inner::infer {
namespace {

constexpr double z95 = 1.959963984540054;  // the 97.5% quantile of the standard normal distribution

// The q below and above d with (d - q)^2 = z^2 (slope q) + null^2.
double low_limit(double d, double null, double slope) {
  if (d <= 0) return 0;
  const double shift = z95 * z95 * slope / 2;
  return std::max(d + shift - std::sqrt(shift * (shift + 2 * d) + null * null), 0.0);
}
double high_limit(double d, double null, double slope) {
  const double shift = z95 * z95 * slope / 2, from = std::max(d, 0.0);
  return from + shift + std::sqrt(shift * (shift + 2 * from) + null * null);
}

Interval inverted_square(const Estimate& e, const IntervalRule& rule) {
  const SquareSpread& s = *e.spread;
  Interval out{std::sqrt(low_limit(s.squared, rule.skew * s.se_null, s.per_square)),
               std::min(std::sqrt(high_limit(s.squared, z95 * s.se_null, s.per_square)), 1.0), std::string(rule.words)};
  if (!e.widest) return out;
  const double top = high_limit(e.widest->squared, z95 * e.widest->se_null, e.widest->per_square);
  // The value has been corrected for the root, the limits have not: keep it inside.
  out.high = std::max({out.high, std::min(std::sqrt(top), 1.0), e.value});
  return out;
}

// All of these means are of numbers that cannot be negative.
Interval normal(const EstimatorInfo& about, const Estimate& e) {
  const double half = z95 * *e.se, high = e.value + half;
  return {std::max(e.value - half, 0.0), about.unit == Unit::fraction ? std::min(high, 1.0) : high,
          std::string(about.interval.words)};
}

}  // namespace

Interval wilson(double rate, double n) {
  const double z2 = z95 * z95;
  const double centre = (rate + z2 / (2 * n)) / (1 + z2 / n);
  const double half = z95 / (1 + z2 / n) * std::sqrt(rate * (1 - rate) / n + z2 / (4 * n * n));
  // At a rate of 0 or 1 one end is that rate; rounding must not push it past.
  return {rate == 0 ? 0 : std::max(centre - half, 0.0), rate == 1 ? 1 : std::min(centre + half, 1.0),
          std::string(wilson_interval.words)};
}

std::optional<Interval> interval_of(const EstimatorInfo& about, const Estimate& estimate, double n) {
  switch (about.interval.method) {
    case IntervalMethod::none:
      break;
    case IntervalMethod::wilson:
      return wilson(estimate.value, n);
    case IntervalMethod::normal:
      if (estimate.se) return normal(about, estimate);
      break;
    case IntervalMethod::inverted_square:
      if (estimate.spread) return inverted_square(estimate, about.interval);
      break;
  }
  return std::nullopt;
}

std::string_view no_interval_reason(const EstimatorInfo& about) {
  return about.interval.method == IntervalMethod::none ? about.interval.words : unknown_error.words;
}

}  // namespace tare::inner::infer
