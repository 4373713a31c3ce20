#include "tare/infer/interval.hpp"

#include <algorithm>
#include <cmath>

namespace tare::infer {
namespace {

constexpr double z95 = 1.959963984540054;  // the 97.5% quantile of the standard normal distribution

}  // namespace

Interval wilson(double rate, double n) {
  const double z2 = z95 * z95;
  const double centre = (rate + z2 / (2 * n)) / (1 + z2 / n);
  const double half = z95 / (1 + z2 / n) * std::sqrt(rate * (1 - rate) / n + z2 / (4 * n * n));
  // At a rate of 0 or 1 one end is that rate; rounding must not push it past.
  return {rate == 0 ? 0 : std::max(centre - half, 0.0), rate == 1 ? 1 : std::min(centre + half, 1.0), "Wilson 95%"};
}

std::optional<Interval> interval_of(const measure::Row& row, const Estimate& estimate, double n) {
  if (row.name == "accuracy") return wilson(estimate.value, n);
  if (estimate.squared && estimate.squared_se) {
    const double half = z95 * *estimate.squared_se;
    return Interval{std::sqrt(std::max(*estimate.squared - half, 0.0)),
                    std::sqrt(std::max(*estimate.squared + half, 0.0)), "normal 95% on the squared error"};
  }
  if (estimate.se) {
    // All of these means are of numbers that cannot be negative.
    const double half = z95 * *estimate.se, high = estimate.value + half;
    return Interval{std::max(estimate.value - half, 0.0), row.name == "confidence" ? std::min(high, 1.0) : high,
                    "normal 95%"};
  }
  return std::nullopt;
}

std::string no_interval_reason(const measure::Row& row) {
  return row.is_error ? "no valid interval: a bootstrap of a plug-in error doubles its bias"
                      : "no valid interval: no standard error is known for it";
}

}  // namespace tare::infer
