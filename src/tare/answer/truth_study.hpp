// Estimators on a truth that is named instead of fitted: a network of Roelofs et al. 2022, or a distribution of scores
// and a calibration curve of one's own.
#pragma once

#include <string>
#include <vector>

#include "tare/answer/bias.hpp"
#include "tare/core/simulation.hpp"

namespace tare::inner::answer {

struct NamedTruth {
  std::string model = {};         // of simulate::models()
  std::vector<double> beta = {};  // alpha and beta of the scores; empty: uniform
  std::string curve = {};         // FAMILY:x,y; empty: perfectly calibrated
  bool perfect = false;           // the same scores, and the identity as the curve
};

// Of `options` all but what is about fitting; no sizes: 200, 500, 1000 and 5000.
Result<SimTable> study_truth(const NamedTruth& truth, const BiasOptions& options);

}  // namespace tare::inner::answer
