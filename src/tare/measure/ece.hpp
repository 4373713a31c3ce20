// Expected calibration error over a fixed number of bins, of equal width (ece_ew) or equal
// mass (ece_em): (sum_k (n_k/n) |f_k - a_k|^p)^(1/p), f_k the mean score of bin k and a_k its
// mean label. Guo et al. 2017, Eq. 3 (p = 1); Roelofs et al. 2022, Eq. 3 (p = 2).
#pragma once

#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

Result<Estimate> ece_ew(const Sample& sample, const Options& options = {});
Result<Estimate> ece_em(const Sample& sample, const Options& options = {});

extern const Estimator ece_ew_estimator;
extern const Estimator ece_em_estimator;

}  // namespace tare::detail::measure
