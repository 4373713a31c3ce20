// Kolmogorov-Smirnov calibration error: the largest distance between the running sums of
// scores and of labels, max_t |(1/n) sum_{s_i <= t} (s_i - y_i)|. No bins, nothing to choose.
// Gupta et al. 2021. Evaluated at the end of each group of equal scores, where the
// running sums are functions of the score and not of the order of the rows.
#pragma once

#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

Result<Estimate> ks(const Sample& sample, const Options& options = {});

extern const Estimator ks_estimator;

}  // namespace tare::detail::measure
