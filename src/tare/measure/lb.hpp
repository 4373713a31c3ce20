// Label-binned calibration error: every score against the mean label of its bin,
// ((1/n) sum_k sum_{i in k} |s_i - a_k|^p)^(1/p). Roelofs et al. 2022, Eq. 5 (whose right side carries a
// misprinted sum sign). Never below the binned error of the same bins.
#pragma once

#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

Result<Estimate> lb_ew(const Sample& sample, const Options& options = {});
Result<Estimate> lb_em(const Sample& sample, const Options& options = {});

extern const Estimator lb_ew_estimator;
extern const Estimator lb_em_estimator;

}  // namespace tare::detail::measure
