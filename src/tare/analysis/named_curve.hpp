// The calibration curve of one model with its band (infer/band/curve_band.hpp) and the histogram of its scores.
#pragma once

#include <optional>
#include <string>

#include "tare/core/options.hpp"
#include "tare/core/plots.hpp"
#include "tare/core/predictions.hpp"

namespace tare::detail::analysis {

struct NamedCurveOptions {
  std::optional<Reduction> reduction = {};  // top_label or positive; empty: the rule of choose_reduction
  int bins = 20;                            // of the histogram
  int threads = 1;
};

Result<NamedCurve> named_curve(const Predictions& predictions, std::string name, const NamedCurveOptions& options = {});

}  // namespace tare::detail::analysis
