// Spiegelhalter's Z: the Brier score less its expectation under calibration, in standard deviations,
//   Z = sum (y - s)(1 - 2s) / sqrt( sum (1 - 2s)^2 s (1 - s) ).
// Spiegelhalter 1986, "Probabilistic prediction in patient management and clinical trials".
#pragma once

#include "tare/infer/tests/statistic.hpp"

namespace tare::detail::infer {

Result<double> spiegelhalter(const measure::Sample& sample);

extern const Test spiegelhalter_test;

}  // namespace tare::detail::infer
