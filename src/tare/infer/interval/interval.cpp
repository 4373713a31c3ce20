#include "tare/infer/interval/interval.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string_view>

namespace tare::inner::infer {
namespace {

constexpr double z95 = 1.959963984540054;  // the 97.5% quantile of the standard normal distribution

double part(const Estimate& estimate, std::string_view name) {
  for (const Part& p : estimate.parts)
    if (p.name == name) return p.value;
  assert(false);
  return 0;
}

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

// skew: the standard deviations of D at zero error that count below it.
Interval inverted_square(const Estimate& e, double skew) {
  const double null = part(e, "se_null"), slope = part(e, "per_square");
  return {std::sqrt(low_limit(*e.squared, skew * null, slope)),
          std::min(std::sqrt(high_limit(*e.squared, z95 * null, slope)), 1.0),
          {}};
}

Interval rank_poly_interval(const Estimate& e) {
  Interval out = inverted_square(e, 3.2);
  const double top = high_limit(part(e, "top_squared"), z95 * part(e, "top_se_null"), part(e, "top_per_square"));
  // The value has been corrected for the root, the limits have not: keep it inside.
  out.high = std::max({out.high, std::min(std::sqrt(top), 1.0), e.value});
  out.method = "inverted 95% of the squared error";
  return out;
}

Interval debias_interval(const Estimate& e) {
  Interval out = inverted_square(e, 2.5);  // many bins: nearer to normal than the few degrees of rank_poly
  out.method = "inverted 95% of the squared error of the binned model";
  return out;
}

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
  if (row.name == "rank_poly") return rank_poly_interval(estimate);
  if (row.name == "debias_ew" || row.name == "debias_em") return debias_interval(estimate);
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

}  // namespace tare::inner::infer
