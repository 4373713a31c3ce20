#include "tare/fit/both_classes.hpp"

#include <algorithm>
#include <vector>

#include "tare/fit/one_vs_rest.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::inner::fit {

void apply_to_both(const Map& map, const Reals& values, std::span<double> out, int threads) {
  constexpr std::size_t chunk = 16384;
  const std::size_t n = out.size() / 2;
  numeric::parallel_for((n + chunk - 1) / chunk, threads, [&](std::size_t c) {
    const std::size_t first = c * chunk, count = std::min(chunk, n - first);
    std::vector<double> one(count);
    map.apply(rows_of(values, 1, first, count), one);
    double* const to = out.data() + 2 * first;
    for (std::size_t i = 0; i < count; ++i) {
      to[2 * i] = 1 - one[i];
      to[2 * i + 1] = one[i];
    }
  });
}

}  // namespace tare::inner::fit
