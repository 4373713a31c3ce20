// The lines of a survey: which estimators with which options, and what is said about each value.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tare/analysis/survey.hpp"
#include "tare/core/options.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/results.hpp"
#include "tare/infer/interval/interval.hpp"
#include "tare/infer/resample/null.hpp"
#include "tare/measure/spec.hpp"

namespace tare::detail::analysis {

// Checks the options. An estimator appears once per norm that it has and that was asked for.
Result<std::vector<infer::ResampledChoice>> make_choices(const SurveyOptions& options);

// The value, or the reason why there is none; nothing about noise yet.
Measured measure_estimate_row(const measure::Choice& choice, const measure::Sample& sample);

// The log loss and the Brier score of more than two classes are of the full matrix. Nothing: this estimator, or these
// predictions, have no such score.
std::optional<Result<Estimate>> matrix_score(const Predictions& predictions, const measure::Estimator& estimator,
                                             const measure::Options& options, int threads);
std::optional<Measured> matrix_estimate_row(const measure::Choice& choice, const Predictions& predictions, int threads);

// The same for a value that was had in another way.
Measured estimate_row_with(const measure::Choice& choice, Result<Estimate> estimate);

// n: the sum of weights.
void add_interval(Measured& measured, double n);
void add_floor(Measured& measured, std::span<const infer::NullValue> values);

// What the noise floor says about one number: above it, if 5 of 100 calibrated models or fewer show as much. Less than
// 1e-9 above counts as within: where nothing is left to chance the floor is 0, and rounding is no evidence. Whether the
// model is miscalibrated is another question, and one test answers it (verdict.hpp).

inline Judgement judgement_of(double value, const infer::Floor& floor) {
  constexpr double rounding = 1e-9;
  return value <= floor.high + rounding ? Judgement::within_noise : Judgement::above_noise;
}

// One estimator on predictions as they are: the reduction, then the row's function. No noise floor, no interval; what
// survey() would give as the value of that line, without the cost of the others.
struct EstimateOptions {
  std::optional<Reduction> reduction = {};  // empty: the rule of choose_reduction
  int bins = options::bins.usual;
  int norm = 1;  // of estimators that have one
  int threads = 1;
};

Result<Estimate> estimate(const Predictions& predictions, const measure::Estimator& row,
                          const EstimateOptions& options = {});

}  // namespace tare::detail::analysis
