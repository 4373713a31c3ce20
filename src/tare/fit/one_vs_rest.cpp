#include "tare/fit/one_vs_rest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tare/numeric/exact/fixed.hpp"

namespace tare::detail::fit {

Reals rows_of(const Reals& values, std::size_t columns, std::size_t first, std::size_t count) {
  return values.visit([&](auto v) { return Reals(v.subspan(first * columns, count * columns)); });
}

std::vector<double> counted_weights(std::span<const double> weight) {
  if (weight.empty()) return {};
  double least = std::numeric_limits<double>::max(), largest = 0, rows = 0;
  for (const double w : weight) {
    if (w == 0) continue;
    least = std::min(least, w);
    largest = std::max(largest, w);
    rows += 1;
  }
  const bool repetitions = largest / least <= 0x1p20 && std::all_of(weight.begin(), weight.end(), [&](double w) {
                             return std::abs(w / least - std::nearbyint(w / least)) <= 1e-9;
                           });
  numeric::u128 parts = 0;  // of the largest: whole numbers, so that the order of rows does not matter
  for (const double w : weight) parts += static_cast<std::uint64_t>(std::nearbyint(w / largest * 0x1p52));
  const double share = rows / (static_cast<double>(parts) * 0x1p-52);
  std::vector<double> out(weight.size());
  std::transform(weight.begin(), weight.end(), out.begin(),
                 [&](double w) { return repetitions ? std::nearbyint(w / least) : w / largest * share; });
  return out;
}

}  // namespace tare::detail::fit
