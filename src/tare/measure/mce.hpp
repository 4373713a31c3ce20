// Maximum calibration error: the largest gap |f_k - a_k| over the non-empty bins.
// Guo et al. 2017, Eq. 5. A bin of one row can decide it: read it beside the counts.
#pragma once

#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

Result<Estimate> mce_ew(const Sample& sample, const Options& options = {});
Result<Estimate> mce_em(const Sample& sample, const Options& options = {});

extern const Estimator mce_ew_estimator;
extern const Estimator mce_em_estimator;

}  // namespace tare::detail::measure
