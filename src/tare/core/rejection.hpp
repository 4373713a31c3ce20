// What accuracy one gets from the most confident rows alone, where the others are handed to somebody else. Plain data.
#pragma once

#include <vector>

#include "tare/core/results.hpp"

namespace tare::detail {

struct RejectionPoint {
  double share = 0;      // of the weight: the most confident rows; equal scores are kept or refused together
  double threshold = 0;  // the smallest score among them
  double weight = 0;     // theirs
  double accuracy = 0;
  double low = 0;  // Wilson's 95% interval of the accuracy, for this share by itself
  double high = 0;
  double claimed = 0;  // their mean score: the accuracy that the model promises
};

struct RejectionCurve {
  InputInfo input = {};
  std::vector<RejectionPoint> points = {};  // rising share; the last keeps every row
  std::size_t thresholds = 0;               // different scores; more than points where the curve was thinned
  double mean_accuracy = 0;                 // over all thresholds, by weight: 1 less the area under the risk curve
};

}  // namespace tare::detail
