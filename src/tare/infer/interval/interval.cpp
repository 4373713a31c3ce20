#include "tare/infer/interval/interval.hpp"

#include <algorithm>
#include <cmath>

#include "tare/measure/rank_poly/rank_poly.hpp"
#include "tare/numeric/special.hpp"

namespace tare::detail::infer {
namespace {

Interval shown(const ValueInterval& ends, const EstimatorInfo& about) {
  return {ends.low, ends.high, std::string(about.interval.words)};
}

// All of these means are of numbers that cannot be negative.
Interval normal(const EstimatorInfo& about, const Estimate& e) {
  const double half = numeric::z95 * *e.se, high = e.value + half;
  return {std::max(e.value - half, 0.0), about.unit == Unit::fraction ? std::min(high, 1.0) : high,
          std::string(about.interval.words)};
}

}  // namespace

Interval wilson(double rate, double n) {
  const double z2 = numeric::z95 * numeric::z95;
  const double centre = (rate + z2 / (2 * n)) / (1 + z2 / n);
  const double half = numeric::z95 / (1 + z2 / n) * std::sqrt(rate * (1 - rate) / n + z2 / (4 * n * n));
  // At a rate of 0 or 1 one end is that rate; rounding must not push it past.
  return {rate == 0 ? 0 : std::max(centre - half, 0.0), rate == 1 ? 1 : std::min(centre + half, 1.0),
          std::string(wilson_interval.words)};
}

std::optional<Interval> interval_of(const EstimatorInfo& about, const Estimate& estimate, double n) {
  const IntervalMethod method = about.interval.method;
  const bool squared = method == IntervalMethod::inverted_square;
  if (method == IntervalMethod::wilson) return wilson(estimate.value, n);
  if (method == IntervalMethod::normal && estimate.se) return normal(about, estimate);
  if ((squared || method == IntervalMethod::own) && estimate.interval) return shown(*estimate.interval, about);
  if (squared && estimate.spread) return shown(measure::square_interval(estimate, about.interval.skew), about);
  return std::nullopt;
}

std::string_view no_interval_reason(const EstimatorInfo& about) {
  return about.interval.method == IntervalMethod::none ? about.interval.words : unknown_error.words;
}

}  // namespace tare::detail::infer
