// Hosmer and Lemeshow's C over ten groups of equal counts (deciles of risk),
//   C = sum_k (O_k - E_k)^2 / (n_k f_k (1 - f_k)),
// O_k the hits of group k, E_k = n_k f_k the sum of its scores. Hosmer and Lemeshow 1980.
//
// A group whose scores are all 0 or all 1 has no variance and is left out: what it may contain that a calibrated
// model never does is reported on its own (Contradictions).
#pragma once

#include "tare/infer/tests/statistic.hpp"

namespace tare::detail::infer {

Result<double> hosmer_lemeshow(const measure::Sample& sample);

extern const Test hosmer_lemeshow_test;

}  // namespace tare::detail::infer
