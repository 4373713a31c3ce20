// Debiased squared calibration error: D = sum_k (n_k/n) [ (f_k - a_k)^2 - a_k(1-a_k)/(n_k-1) ], whose
// expectation is the squared binned error; the value is sqrt(max(D, 0)) and `squared` is D itself.
// Bröcker 2012; Ferro and Fricker 2012; Kumar, Liang and Ma 2019. Norm 2 only.
#pragma once

#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

Result<Estimate> debias_ew(const Sample& sample, const Options& options = {});
Result<Estimate> debias_em(const Sample& sample, const Options& options = {});

extern const Estimator debias_ew_estimator;
extern const Estimator debias_em_estimator;

}  // namespace tare::detail::measure
