// The true calibration error, ( E |c - T(c)|^p )^(1/p) over the scores: a closed form in moments and incomplete moments
// of the Beta distribution where the curve is a power of c or of 1 - c, else quadrature; of empirical scores, the mean.
// Roelofs et al. 2022, equation 1. The curve is taken as it is, also where it leaves [0, 1].
#pragma once

#include "tare/simulate/truth.hpp"

namespace tare::inner::simulate {

// norm 1 or 2. Good to 1e-10 of its value; undefined where the integral has none.
Result<double> true_error(const Truth& truth, int norm);

}  // namespace tare::inner::simulate
