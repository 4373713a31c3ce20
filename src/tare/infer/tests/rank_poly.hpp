// The test of rank_poly: Z = max_K ( D_K / sqrt(N_K) - sqrt(K) ), the largest leave-one-out squared error over all
// degrees, each in units of its noise under calibration and less what K terms are worth by chance
// (docs/methods/rank_poly.md).
#pragma once

#include "tare/infer/tests/statistic.hpp"

namespace tare::detail::infer {

extern const Test rank_poly_test;

}  // namespace tare::detail::infer
