// A smooth estimate of the calibration curve, for the eye: how far the hit rates are from the scores, smoothed over
// ranks by local lines.
#pragma once

#include <vector>

#include "tare/numeric/order/order.hpp"

namespace tare::inner::infer {

// One number per cell, at its mean score. The width of the kernel is the widest whose error, each cell left out in
// turn, is not clearly worse than the least. `rising`: pooled where it would fall.
std::vector<double> smooth_curve(const numeric::Ordered& cells, bool rising);

}  // namespace tare::inner::infer
