// Every calibrator on the same rows: fitted on validation data, judged on test data, one table. The winner is chosen
// on the validation data alone, by a proper score of pooled out-of-fold predictions: an error of calibration can be
// lowered by throwing information away, and choosing on the test data would flatter the choice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tare/analysis/survey.hpp"
#include "tare/core/comparison.hpp"
#include "tare/core/models.hpp"
#include "tare/core/options.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/progress.hpp"
#include "tare/fit/spec.hpp"

namespace tare::detail::analysis {

struct CompareOptions {
  std::vector<std::string> methods = {};  // empty: all
  // Estimators of the table as NAME or NAME:NORM; empty: those whose role is to be compared
  std::vector<std::string> estimators = {};
  std::optional<Reduction> reduction = {};                      // top_label or positive
  std::string criterion = std::string(name(Criterion::brier));  // one that chooses
  int folds = options::folds.usual;
  int bins = options::bins.usual;
  std::size_t resamples = options::paired_resamples.usual;
  std::uint64_t seed = 1;
  fit::Options fit = {};
  int threads = 1;
  Progress progress = {};
};

// Options that mean something, whatever the data are.
Result<void> checked(const CompareOptions& options);

// Without test data the numbers are those of the pooled out-of-fold predictions.
Result<Comparison> compare(const Predictions& validation, const Predictions* test, const CompareOptions& options = {});

inline constexpr const char* uncalibrated_name = "uncalibrated";

// The calibrator that a comparison recommends, fitted on all rows asked for, with a record of how it was chosen
// (Model::provenance).
// `rows`: what to fit on. Where "uncalibrated" is recommended it is a map that changes nothing, and its note says so.
Result<Model> refit(const Comparison& comparison, const Predictions& rows, const fit::Options& options);

// The rows of both, of one kind and number of classes.
Result<Predictions> joined(const Predictions& first, const Predictions& second);

// Several models in one table: each is tested on its own, and where all hold the same rows their differences are
// judged on these.
Result<ModelTable> compare_models(const std::vector<Predictions>& models, const SurveyOptions& options);

}  // namespace tare::detail::analysis
