// One estimator on predictions as they are: the reduction, then the row's function. No noise floor, no interval; what
// survey() would give as the value of that line, without the cost of the others.
#pragma once

#include <optional>

#include "tare/core/options.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/results.hpp"
#include "tare/measure/spec.hpp"

namespace tare::detail::analysis {

struct EstimateOptions {
  std::optional<Reduction> reduction = {};  // empty: the rule of choose_reduction
  int bins = options::bins.usual;
  int norm = 1;  // of estimators that have one
  int threads = 1;
};

Result<Estimate> estimate(const Predictions& predictions, const measure::Estimator& row,
                          const EstimateOptions& options = {});

}  // namespace tare::detail::analysis
