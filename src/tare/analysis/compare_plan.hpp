// What `compare` compares on what.
#pragma once

#include <memory>
#include <vector>

#include "tare/analysis/compare.hpp"
#include "tare/infer/resample/folds.hpp"
#include "tare/measure/spec.hpp"

namespace tare::detail::analysis {

// Checked once, before any work.
struct ComparePlan {
  std::vector<std::shared_ptr<const infer::RowsOf>> rows;  // what the views look at
  MulticlassView validation;
  MulticlassView judged;
  Reduction reduction;                   // top_label or positive
  Criterion criterion;                   // that chooses
  std::vector<Grouping> groupings;       // of the judged rows
  bool hits;                             // bare confidences: their hits are the labels of a problem of two classes
  std::vector<measure::Choice> columns;  // of the table
  std::vector<const fit::Calibrator*> methods;
};

Result<ComparePlan> compare_plan(const Predictions& validation, const Predictions* test, const CompareOptions& options);

}  // namespace tare::detail::analysis
