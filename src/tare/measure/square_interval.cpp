#include "tare/measure/square_interval.hpp"

#include <algorithm>
#include <cmath>

#include "tare/numeric/special.hpp"

namespace tare::detail::measure {
namespace {

// The q below and above d with (d - q)^2 = z^2 (slope q) + null^2.
double low_limit(double d, double null, double slope) {
  if (d <= 0) return 0;
  const double shift = numeric::z95 * numeric::z95 * slope / 2;
  return std::max(d + shift - std::sqrt(shift * (shift + 2 * d) + null * null), 0.0);
}
double high_limit(double d, double null, double slope) {
  const double shift = numeric::z95 * numeric::z95 * slope / 2, from = std::max(d, 0.0);
  return from + shift + std::sqrt(shift * (shift + 2 * from) + null * null);
}

}  // namespace

ValueInterval square_interval(const Estimate& e, double skew) {
  const SquareSpread& s = *e.spread;
  ValueInterval out{std::sqrt(low_limit(s.squared, skew * s.se_null, s.per_square)),
                    std::min(std::sqrt(high_limit(s.squared, numeric::z95 * s.se_null, s.per_square)), 1.0)};
  if (!e.widest) return out;
  const double top = high_limit(e.widest->squared, numeric::z95 * e.widest->se_null, e.widest->per_square);
  // The value has been corrected for the root, the limits have not: keep it inside.
  out.high = std::max({out.high, std::min(std::sqrt(top), 1.0), e.value});
  return out;
}

}  // namespace tare::detail::measure
