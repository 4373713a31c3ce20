// Expected calibration error over a fixed number of bins, of equal width (ece_ew) or equal
// mass (ece_em): (sum_k (n_k/n) |f_k - a_k|^p)^(1/p), f_k the mean score of bin k and a_k its
// mean label. Guo et al. 2017, Eq. 3 (p = 1); Roelofs et al. 2022, Eq. 3 (p = 2).
#pragma once

#include "tare/measure/binned.hpp"

namespace tare::measure {

inline Result<Estimate> ece(const Sample& sample, const Options& options, numeric::Binning binning) {
  const auto b = checked_bins(options);
  if (!b) return b.error();
  const auto norm = checked_norm(options);
  if (!norm) return norm.error();
  Estimate out{.bins = options.bins, .per_bin = diagram(sample.bins(binning, *b), binning, sample.unit())};
  out.value = binned_error(out.per_bin, *norm);
  return out;
}

inline Result<Estimate> ece_ew(const Sample& sample, const Options& options = {}) {
  return ece(sample, options, numeric::Binning::width);
}
inline Result<Estimate> ece_em(const Sample& sample, const Options& options = {}) {
  return ece(sample, options, numeric::Binning::mass);
}

inline constexpr Row ece_ew_row{
    .name = "ece_ew",
    .title = "ECE, equal-width bins",
    .summary = "mean gap between confidence and accuracy over bins of equal width",
    .citation = "Guo et al. 2017, Eq. 3",
    .estimand = "tce",
    .norms = Norms::both,
    .uses_bins = true,
    .run = ece_ew};

inline constexpr Row ece_em_row{
    .name = "ece_em",
    .title = "ECE, equal-mass bins",
    .summary = "mean gap between confidence and accuracy over bins of equal counts",
    .citation = "Roelofs et al. 2022, Eq. 3",
    .estimand = "tce",
    .norms = Norms::both,
    .uses_bins = true,
    .run = ece_em};

}  // namespace tare::measure
