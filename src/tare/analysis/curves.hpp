// Curves that answer one question each: how accurate are the surest rows, where is the model wrong, how many rows would
// it take?
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tare/analysis/test.hpp"
#include "tare/core/options.hpp"
#include "tare/core/plots.hpp"
#include "tare/core/predictions.hpp"

namespace tare::detail::analysis {

// Accuracy among the most confident rows, for every share of them: the accuracy-coverage curve (El-Yaniv and Wiener
// 2010; Geifman and El-Yaniv 2017). Of two classes the score is that of the predicted one.
struct RejectionOptions {
  std::optional<Reduction> reduction = {};  // how the rows are named; classwise is refused
  std::size_t points = 300;                 // at most, evenly spread over the shares; each is exact
  int threads = 1;
};

Result<RejectionCurve> rejection(const Predictions& predictions, const RejectionOptions& options = {});

// The calibration curve of one model with its band (infer/band/curve_band.hpp) and the histogram of its scores.
struct NamedCurveOptions {
  std::optional<Reduction> reduction = {};  // top_label or positive; empty: the rule of choose_reduction
  int bins = 20;                            // of the histogram
  int threads = 1;
};

Result<NamedCurve> named_curve(const Predictions& predictions, std::string name, const NamedCurveOptions& options = {});

// How many rows would it take? The smallest error that the test finds (infer/tests/detectable.hpp), for the scores of
// the data at other numbers of rows: as many as asked for, at evenly spaced ranks of the same scores.
struct DetectableCurveOptions {
  TestOptions test = {};                // its first statistic
  std::vector<std::size_t> sizes = {};  // empty: from a tenth of the rows to a hundred times as many
};

Result<DetectableCurve> detectable_curve(const Predictions& predictions, const DetectableCurveOptions& options = {});

// The same scores, with n rows: row i of n is the one at rank (i + 1/2) / n. Their labels are misses.
numeric::Ordered resized(const numeric::Ordered& rows, std::size_t n);

}  // namespace tare::detail::analysis
