#include "tare/infer/tests/spiegelhalter.hpp"

#include <cmath>

namespace tare::detail::infer {

Result<double> spiegelhalter(const measure::Sample& sample) {
  const numeric::Ordered& data = sample.ordered();
  const double unit = static_cast<double>(data.unit());
  double sum = 0, variance = 0;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    const double s = data.score(g), lean = 1 - 2 * s;
    const double hits = static_cast<double>(data.hits(g)) / unit;
    const double misses = static_cast<double>(data.mass(g) - data.hits(g)) / unit;
    sum += (hits * (1 - s) - misses * s) * lean;
    variance += (hits + misses) * s * (1 - s) * lean * lean;
  }
  if (!(variance > 0))
    return Error{.code = Errc::undefined,
                 .what = "every score is 0, 1/2 or 1: the Brier score of a calibrated model cannot vary",
                 .remedy = {}};
  return sum / std::sqrt(variance);
}

constinit const Test spiegelhalter_test{
    .name = "spiegelhalter",
    .title = "Spiegelhalter's Z",
    .summary = "the Brier score against what the scores promise; positive: worse than promised",
    .citation = "Spiegelhalter 1986",
    .two_sided = true,
    .statistic = spiegelhalter};

}  // namespace tare::detail::infer
