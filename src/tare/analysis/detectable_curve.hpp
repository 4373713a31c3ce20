// How many rows would it take? The smallest error that the test finds (infer/tests/detectable.hpp), for the scores of
// the data at other numbers of rows: as many as asked for, at evenly spaced ranks of the same scores.
#pragma once

#include <vector>

#include "tare/analysis/test.hpp"
#include "tare/core/plots.hpp"

namespace tare::detail::analysis {

struct DetectableCurveOptions {
  TestOptions test = {};                // its first statistic
  std::vector<std::size_t> sizes = {};  // empty: from a tenth of the rows to a hundred times as many
};

Result<DetectableCurve> detectable_curve(const Predictions& predictions, const DetectableCurveOptions& options = {});

// The same scores, with n rows: row i of n is the one at rank (i + 1/2) / n. Their labels are misses.
numeric::Ordered resized(const numeric::Ordered& rows, std::size_t n);

}  // namespace tare::detail::analysis
