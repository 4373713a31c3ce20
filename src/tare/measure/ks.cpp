// Kolmogorov-Smirnov calibration error: the largest distance between the running sums of scores and of labels, max_t
// |(1/n) sum_{s_i <= t} (s_i - y_i)|. No bins, nothing to choose. Gupta et al. 2021. Evaluated at the end of each group
// of equal scores, where the running sums are functions of the score and not of the order of the rows.
#include "tare/measure/estimators.hpp"

#include <algorithm>

namespace tare::detail::measure {

Result<Estimate> ks(const Sample& sample, const Options&) {
  const numeric::Ordered& data = sample.ordered();
  using Gap = numeric::FixedSum<numeric::score_bits>;
  Gap gap;
  numeric::i128 largest = 0;
  for (std::size_t g = 0; g < data.groups(); ++g) {
    gap.add_units(
        static_cast<numeric::i128>(static_cast<numeric::u128>(numeric::to_fixed(data.score(g))) * data.mass(g)));
    gap.add_units(-static_cast<numeric::i128>(static_cast<numeric::u128>(data.hits(g)) << numeric::score_bits));
    largest = std::max(largest, gap.units() < 0 ? -gap.units() : gap.units());
  }
  return Estimate{.value = Gap::of_units(largest).value() / static_cast<double>(data.total_mass())};
}

constinit const Estimator ks_estimator{
    {.name = "ks",
     .title = "KS calibration error",
     .summary = "largest distance between cumulative confidence and cumulative accuracy; no bins",
     .citation = "Gupta et al. 2021",
     .roles = {.tested = true}},
    {.run = ks}};

}  // namespace tare::detail::measure
