#include "tare/measure/ks.hpp"

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
