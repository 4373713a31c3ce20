// What could this n have detected? The smallest true calibration error (norm 2) at which a test of level alpha
// rejects with the wanted power, along a path of truths that starts at calibration: the scores stay the user's own,
// and the rate of hits at score c is c^d, d >= 1 (Roelofs et al. 2022, section 7.2, on uniform scores). Where that path
// cannot reach the power (scores near 0), 1 - (1 - c)^d is tried.
//
// Labels are redrawn from the curve; the same random numbers serve every d, so that the power rises smoothly.
#pragma once

#include <cstdint>

#include "tare/core/test_report.hpp"
#include "tare/infer/resample/null.hpp"
#include "tare/infer/tests/statistic.hpp"

namespace tare::detail::infer {

struct DetectableOptions {
  double alpha = 0.05;
  double power = 0.95;
  std::size_t draws = 400;  // per truth; fewer where the answer is clear
  std::uint64_t seed = 1;
  int threads = 1;
};

// `null`: the distribution of the statistic on calibrated data with these scores.
Detectable find_detectable(const NullCells& cells, const Statistic& statistic, const NullDistribution& null,
                           const DetectableOptions& options);

}  // namespace tare::detail::infer
