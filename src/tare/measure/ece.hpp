// Expected calibration error over a fixed number of bins, of equal width (ece_ew) or equal
// mass (ece_em): (sum_k (n_k/n) |f_k - a_k|^p)^(1/p), f_k the mean score of bin k and a_k its
// mean label. Guo et al. 2017, Eq. 3 (p = 1); Roelofs et al. 2022, Eq. 3 (p = 2).
#pragma once

#include "tare/measure/binned.hpp"

namespace tare::inner::measure {

template <numeric::Binning binning>
Result<Estimate> ece_from_bins(const std::vector<numeric::BinSums>& sums, std::uint64_t unit, const Options& options) {
  const auto norm = checked_norm(options);
  if (!norm) return norm.error();
  Estimate out{.bins = options.bins, .per_bin = diagram(sums, binning, unit)};
  out.value = binned_error(out.per_bin, *norm);
  return out;
}

inline Result<Estimate> ece_ew(const Sample& sample, const Options& options = {}) {
  return from_bins<numeric::Binning::width>(sample, options, ece_from_bins<numeric::Binning::width>);
}
inline Result<Estimate> ece_em(const Sample& sample, const Options& options = {}) {
  return from_bins<numeric::Binning::mass>(sample, options, ece_from_bins<numeric::Binning::mass>);
}

inline constexpr Row ece_ew_row{.name = "ece_ew",
                                .title = "ECE, equal-width bins",
                                .summary = "mean gap between confidence and accuracy over bins of equal width",
                                .citation = "Guo et al. 2017, Eq. 3",
                                .estimand = "tce",
                                .norms = Norms::both,
                                .uses_bins = true,
                                .run = ece_ew,
                                .binning = numeric::Binning::width,
                                .from_bins = ece_from_bins<numeric::Binning::width>};

inline constexpr Row ece_em_row{.name = "ece_em",
                                .title = "ECE, equal-mass bins",
                                .summary = "mean gap between confidence and accuracy over bins of equal counts",
                                .citation = "Roelofs et al. 2022, Eq. 3",
                                .estimand = "tce",
                                .norms = Norms::both,
                                .uses_bins = true,
                                .run = ece_em,
                                .binning = numeric::Binning::mass,
                                .from_bins = ece_from_bins<numeric::Binning::mass>};

}  // namespace tare::inner::measure
