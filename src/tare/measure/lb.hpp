// Label-binned calibration error: every score against the mean label of its bin,
// ((1/n) sum_k sum_{i in k} |s_i - a_k|^p)^(1/p). Roelofs et al. 2022, Eq. 5 (whose right side carries a
// misprinted sum sign). Never below the binned error of the same bins.
#pragma once

#include "tare/measure/binned.hpp"
#include "tare/numeric/order/bin_walk.hpp"

namespace tare::inner::measure {

inline Result<Estimate> lb(const Sample& sample, const Options& options, numeric::Binning binning) {
  const auto b = checked_bins(options);
  if (!b) return b.error();
  const auto norm = checked_norm(options);
  if (!norm) return norm.error();
  const numeric::Ordered& data = sample.ordered();
  Estimate out{.bins = options.bins, .per_bin = diagram(sample.bins(binning, *b), binning, data.unit())};
  double sum = 0;
  numeric::for_each_bin(data, binning, *b, [&](std::size_t, numeric::GroupRange r) {
    const double rate = static_cast<double>(data.hits_before(r.to) - data.hits_before(r.from)) /
                        static_cast<double>(data.mass_before(r.to) - data.mass_before(r.from));
    for (std::size_t g = r.from; g < r.to; ++g) {
      const double gap = std::abs(data.score(g) - rate);
      sum += static_cast<double>(data.mass(g)) * (*norm == 1 ? gap : gap * gap);
    }
  });
  sum /= static_cast<double>(data.total_mass());
  out.value = *norm == 1 ? sum : std::sqrt(sum);
  return out;
}

inline Result<Estimate> lb_ew(const Sample& sample, const Options& options = {}) {
  return lb(sample, options, numeric::Binning::width);
}
inline Result<Estimate> lb_em(const Sample& sample, const Options& options = {}) {
  return lb(sample, options, numeric::Binning::mass);
}

inline constexpr Row lb_ew_row{.name = "lb_ew",
                               .title = "label-binned error, equal-width bins",
                               .summary = "distance of every score from its bin's accuracy, bins of equal width",
                               .citation = "Roelofs et al. 2022, Eq. 5",
                               .estimand = "tce",
                               .norms = Norms::both,
                               .uses_bins = true,
                               .run = lb_ew};

inline constexpr Row lb_em_row{.name = "lb_em",
                               .title = "label-binned error, equal-mass bins",
                               .summary = "distance of every score from its bin's accuracy, bins of equal counts",
                               .citation = "Roelofs et al. 2022, Eq. 5",
                               .estimand = "tce",
                               .norms = Norms::both,
                               .uses_bins = true,
                               .run = lb_em};

}  // namespace tare::inner::measure
