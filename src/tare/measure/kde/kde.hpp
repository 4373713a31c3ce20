// Calibration error from kernel densities: with d the density of the scores, d1 that of the scores
// of hits and pi the share of hits, the accuracy at score x is pi d1(x)/d(x), and the error is
// (integral |x - accuracy(x)|^p d(x) dx)^(1/p). Zhang, Kailkhura and Han 2020, as their program
// computes it: triweight kernel, one bandwidth from the hits, scores mirrored at the nearer end of [0, 1],
// linear binning on 2^14 points of [-0.6, 1.6]. The program leaves out the 1/p root (rooted = false).
#pragma once

#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

Result<Estimate> kde(const Sample& sample, const Options& options = {});

extern const Estimator kde_estimator;

}  // namespace tare::detail::measure
