// The calibrator that a comparison recommends, fitted on all rows asked for, with a record of how it was chosen
// (Model::provenance).
#pragma once

#include "tare/core/comparison.hpp"
#include "tare/core/predictions.hpp"
#include "tare/fit/spec.hpp"

namespace tare::detail::analysis {

// `rows`: what to fit on. Where "uncalibrated" is recommended it is a map that changes nothing, and its note says so.
Result<Model> refit(const Comparison& comparison, const Predictions& rows, const fit::Options& options);

// The rows of both, of one kind and number of classes.
Result<Predictions> joined(const Predictions& first, const Predictions& second);

}  // namespace tare::detail::analysis
