#include "tare/infer/band/exact_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "tare/numeric/special.hpp"

namespace tare::detail::infer {
namespace {

double log_choose(double n, double k) {
  return numeric::log_gamma(n + 1) - numeric::log_gamma(k + 1) - numeric::log_gamma(n - k + 1);
}

}  // namespace

double lower_bound(Counts seen, double level) {
  if (seen.hits == 0) return 0;
  const auto h = static_cast<double>(seen.hits), n = static_cast<double>(seen.rows);
  return std::clamp(numeric::quick::ibeta_inv(h, n - h + 1, level), 0.0, h / n);
}

double upper_bound(Counts seen, double level) { return 1 - lower_bound({seen.rows - seen.hits, seen.rows}, level); }

double fall_p_value(Counts first, Counts second) {
  const auto a = static_cast<double>(first.rows), b = static_cast<double>(second.rows),
             hits = static_cast<double>(first.hits + second.hits);
  auto x = static_cast<double>(first.hits);
  if (x <= std::max(0.0, hits - b)) return 1;  // it cannot be less: the sum is over all there is
  const double most = std::min(a, hits);
  double term = std::exp(log_choose(a, x) + log_choose(b, hits - x) - log_choose(a + b, hits)), sum = term;
  for (int i = 0; x < most; ++i, ++x) {
    const double ratio = (hits - x) * (a - x) / ((x + 1) * (b - hits + x + 1));
    // The ratios fall: from here on the terms are no larger than those of a geometric series.
    if (ratio < 1 && (i >= 1'000'000 || term * ratio < 1e-17 * sum * (1 - ratio)))
      return std::min(sum + term * ratio / (1 - ratio), 1.0);
    if (i >= 1'000'000) return 1;
    term *= ratio;
    sum += term;
  }
  return std::min(sum, 1.0);
}

}  // namespace tare::detail::infer
