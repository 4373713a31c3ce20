// The smallest error that a test finds, for several numbers of rows. Plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tare/core/test_report.hpp"

namespace tare::detail {

struct DetectablePoint {
  double n = 0;
  Detectable smallest = {};
  bool here = false;  // the n of the data
};

struct DetectableCurve {
  InputInfo input = {};
  std::vector<DetectablePoint> points = {};  // rising n
  ErrorRange estimate = {};                  // of the true error of these data, in the norm of the points
  std::optional<double> needed =
      {};  // rows at which an error as large as the estimate is found; empty: beyond the points
  std::size_t resamples = 0;
  std::uint64_t seed = 0;
};

}  // namespace tare::detail
