// What a fitted calibrator does to the scores of the data: of the predicted class, of class 1, or of every class.
#pragma once

#include <cstddef>
#include <optional>

#include "tare/core/model.hpp"
#include "tare/core/options.hpp"
#include "tare/core/plots.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/result.hpp"

namespace tare::detail::analysis {

struct CalibratorMapOptions {
  std::optional<Reduction> reduction = {};  // classwise: one line for each class
  int bins = options::bins.usual;           // of the data
  std::size_t points = 100;                 // of a line, at most
  std::size_t classes = 6;                  // lines at most, those with the most rows
  int threads = 1;
};

Result<CalibratorMap> calibrator_map(const Predictions& predictions, const Model& model,
                                     const CalibratorMapOptions& options = {});

// The predictions as the model makes them: probabilities, or confidences, with the same labels and weights.
Result<Predictions> recalibrated(const Predictions& predictions, const Model& model, int threads = 1);

}  // namespace tare::detail::analysis
