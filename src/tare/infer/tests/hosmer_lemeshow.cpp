#include "tare/infer/tests/hosmer_lemeshow.hpp"

#include "tare/numeric/order/bin_walk.hpp"

namespace tare::detail::infer {

Result<double> hosmer_lemeshow(const measure::Sample& sample) {
  constexpr std::size_t groups_of_risk = 10;
  const numeric::Ordered& data = sample.ordered();
  const double unit = static_cast<double>(data.unit());
  double sum = 0;
  bool any = false;
  numeric::for_each_bin(data, numeric::Binning::mass, groups_of_risk, [&](std::size_t, numeric::GroupRange r) {
    // Expected hits and expected misses, each summed by itself: near 1 the difference of n and E would be rounding.
    double expected_hits = 0, expected_misses = 0;
    for (std::size_t g = r.from; g < r.to; ++g) {
      const double mass = static_cast<double>(data.mass(g)) / unit;
      expected_hits += mass * data.score(g);
      expected_misses += mass * (1 - data.score(g));
    }
    const double variance = expected_hits * expected_misses / (expected_hits + expected_misses);
    if (!(variance > 0)) return;
    const std::uint64_t mass = data.mass_before(r.to) - data.mass_before(r.from);
    const std::uint64_t hits = data.hits_before(r.to) - data.hits_before(r.from);
    const double excess = expected_hits < expected_misses ? static_cast<double>(hits) / unit - expected_hits
                                                          : expected_misses - static_cast<double>(mass - hits) / unit;
    sum += excess * excess / variance;
    any = true;
  });
  if (!any) return labels_cannot_vary();
  return sum;
}

constinit const Test hosmer_lemeshow_test{
    .name = "hosmer_lemeshow",
    .title = "Hosmer-Lemeshow C",
    .summary = "squared excess of hits over ten groups of equal counts, each in units of its variance",
    .citation = "Hosmer and Lemeshow 1980",
    .statistic = hosmer_lemeshow};

}  // namespace tare::detail::infer
