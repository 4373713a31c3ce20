// Maximum calibration error: the largest gap |f_k - a_k| over the non-empty bins.
// Guo et al. 2017, Eq. 5. A bin of one row can decide it: read it beside the counts.
#pragma once

#include <algorithm>

#include "tare/measure/binned.hpp"

namespace tare::inner::measure {

template <numeric::Binning binning>
Result<Estimate> mce_from_bins(const std::vector<numeric::BinSums>& sums, std::uint64_t unit, const Options& options) {
  Estimate out{.bins = options.bins, .per_bin = diagram(sums, binning, unit)};
  for (const Bin& bin : out.per_bin) out.value = std::max(out.value, std::abs(bin.mean_score - bin.mean_label));
  return out;
}

inline Result<Estimate> mce_ew(const Sample& sample, const Options& options = {}) {
  return from_bins<numeric::Binning::width>(sample, options, mce_from_bins<numeric::Binning::width>);
}
inline Result<Estimate> mce_em(const Sample& sample, const Options& options = {}) {
  return from_bins<numeric::Binning::mass>(sample, options, mce_from_bins<numeric::Binning::mass>);
}

inline constexpr Row mce_ew_row{.name = "mce_ew",
                                .title = "MCE, equal-width bins",
                                .summary = "largest gap between confidence and accuracy over bins of equal width",
                                .citation = "Guo et al. 2017, Eq. 5",
                                .uses_bins = true,
                                .run = mce_ew,
                                .binning = numeric::Binning::width,
                                .from_bins = mce_from_bins<numeric::Binning::width>};

inline constexpr Row mce_em_row{.name = "mce_em",
                                .title = "MCE, equal-mass bins",
                                .summary = "largest gap between confidence and accuracy over bins of equal counts",
                                .citation = "Guo et al. 2017, Eq. 5, on equal-mass bins",
                                .uses_bins = true,
                                .run = mce_em,
                                .binning = numeric::Binning::mass,
                                .from_bins = mce_from_bins<numeric::Binning::mass>};

}  // namespace tare::inner::measure
