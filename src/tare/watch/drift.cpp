#include "tare/watch/drift.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tare::inner::watch {

double kolmogorov_tail(double x) {
  if (x <= 0.05) return 1;
  double sum = 0;
  if (x < 1.2) {  // the distribution function, by the series that is short here
    for (int k = 1; k <= 9; k += 2) {
      const double a = k * std::numbers::pi / x;
      sum += std::exp(-a * a / 8);
    }
    return 1 - std::sqrt(2 * std::numbers::pi) / x * sum;
  }
  for (int k = 1; k <= 6; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  return sum;
}

Drift drift(const Period& before, const Period& today) {
  const double n0 = before.all_rows(), n1 = today.all_rows();
  double below0 = 0, below1 = 0;
  Drift out{.mean = today.mean_score() - before.mean_score()};
  for (std::size_t i = 0, j = 0; i < before.size() && j < today.size();) {
    const double x = std::min(before.score[i], today.score[j]);
    if (before.score[i] == x) below0 += before.rows[i++];
    if (today.score[j] == x) below1 += today.rows[j++];
    out.distance = std::max(out.distance, std::abs(below0 / n0 - below1 / n1));
  }
  const double m = std::sqrt(n0 / (n0 + n1) * n1);
  out.p_value = kolmogorov_tail((m + 0.12 + 0.11 / m) * out.distance);
  return out;
}

}  // namespace tare::inner::watch
