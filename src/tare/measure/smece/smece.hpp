// Smooth ECE: residuals y - s smoothed over the score by a reflected Gaussian of width sigma, integrated in
// absolute value, smECE_sigma = integral over [0, 1] of |(1/n) sum (y_i - s_i) K_sigma(s_i, t)| dt, at the one
// sigma that equals its own smECE_sigma. No bins, nothing to choose; continuous in the scores.
// Błasiok and Nakkiran 2023 (ICLR 2024).
#pragma once

#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

Result<Estimate> smece(const Sample& sample, const Options& options = {});

extern const Estimator smece_estimator;

}  // namespace tare::detail::measure
