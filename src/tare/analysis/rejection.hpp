// Accuracy among the most confident rows, for every share of them: the accuracy-coverage curve (El-Yaniv and Wiener
// 2010; Geifman and El-Yaniv 2017). Of two classes the score is that of the predicted one.
#pragma once

#include <cstddef>
#include <optional>

#include "tare/core/plots.hpp"
#include "tare/core/predictions.hpp"

namespace tare::detail::analysis {

struct RejectionOptions {
  std::optional<Reduction> reduction = {};  // how the rows are named; classwise is refused
  std::size_t points = 300;                 // at most, evenly spread over the shares; each is exact
  int threads = 1;
};

Result<RejectionCurve> rejection(const Predictions& predictions, const RejectionOptions& options = {});

}  // namespace tare::detail::analysis
