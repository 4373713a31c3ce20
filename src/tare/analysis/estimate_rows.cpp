#include "tare/analysis/estimate_rows.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "tare/analysis/input_info.hpp"
#include "tare/core/call_options.hpp"
#include "tare/core/errors.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {
namespace {

Result<void> checked(const SurveyOptions& options) {
  if (options.norms.empty()) return bad_option("no norm was asked for", "the norms are 1 and 2");
  return check(measure_options, options);
}

// "a, b and c"
std::string needing(Norms norms) {
  std::vector<std::string_view> names;
  for (const measure::Estimator& estimator : measure::all())
    if (estimator.norms == norms) names.push_back(estimator.name);
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out.append(i == 0 ? "" : i + 1 < names.size() ? ", " : " and ").append(names[i]);
  return out;
}

}  // namespace

Result<std::vector<infer::ResampledChoice>> make_choices(const SurveyOptions& options) {
  if (const auto fine = checked(options); !fine) return fine.error();
  for (const auto& name : options.estimators)
    if (measure::find(name) == nullptr) return measure::unknown_estimator(name);
  const auto asked = [&](std::string_view name) {
    return options.estimators.empty() ||
           std::find(options.estimators.begin(), options.estimators.end(), name) != options.estimators.end();
  };
  std::vector<infer::ResampledChoice> out;
  for (const measure::Estimator& estimator : measure::all()) {
    if (!asked(estimator.name)) continue;
    infer::ResampledChoice line{{&estimator, {.bins = options.bins}}};
    if (options.resample && estimator.is_error) line.resamples = static_cast<std::size_t>(estimator.resamples);
    if (estimator.norms == Norms::none) {
      out.push_back(line);
      continue;
    }
    for (const int norm : {1, 2}) {
      if (!has_norm(estimator, norm)) continue;
      if (std::find(options.norms.begin(), options.norms.end(), norm) == options.norms.end()) continue;
      line.options.norm = norm;
      out.push_back(line);
    }
  }
  if (out.empty()) {
    const bool first = options.norms.front() == 1;
    return bad_option(std::string("none of the estimators asked for exists in norm ") + (first ? "1" : "2"),
                      first ? needing(Norms::two) + " need norm 2" : needing(Norms::one) + " needs norm 1");
  }
  return out;
}

Measured estimate_row_with(const measure::Choice& choice, Result<Estimate> estimate) {
  Measured out;
  out.name = choice.estimator->name;
  out.about = *choice.estimator;
  out.norm = choice.norm();
  out.estimand = choice.estimator->estimand;
  if (estimate && !std::isfinite(estimate->value))
    out.reason = "its value is larger than any number";
  else if (estimate)
    out.estimate = *std::move(estimate);
  else
    out.reason = sentence(estimate.error());
  return out;
}

Measured measure_estimate_row(const measure::Choice& choice, const measure::Sample& sample) {
  Measured out = estimate_row_with(choice, choice.run(sample));
  if (choice.estimator->run_matrix != nullptr) out.scope = "binary";
  return out;
}

std::optional<Result<Estimate>> matrix_score(const Predictions& predictions, const measure::Estimator& estimator,
                                             const measure::Options& options, int threads) {
  if (estimator.run_matrix == nullptr) return std::nullopt;
  if (const Summed* summed = predictions.summed.get())
    return estimator.name == measure::nll_estimator.name ? summed->nll : summed->brier;
  if (const MatrixScores* scores = predictions.scores.get())
    return estimator.name == measure::nll_estimator.name ? scores->nll : scores->brier;
  if (!predictions.matrix || predictions.matrix->classes() <= 2) return std::nullopt;
  return estimator.run_matrix(*predictions.matrix, options, threads);
}

std::optional<Measured> matrix_estimate_row(const measure::Choice& choice, const Predictions& predictions,
                                            int threads) {
  auto score = matrix_score(predictions, *choice.estimator, choice.options, threads);
  if (!score) return std::nullopt;
  Measured out = estimate_row_with(choice, *std::move(score));
  out.scope = "multiclass";
  return out;
}

void add_interval(Measured& measured, double n) {
  if (!measured.estimate) return;
  const auto interval = infer::interval_of(measured.about, *measured.estimate, n);
  if (!interval) {
    measured.interval_reason = infer::no_interval_reason(measured.about);
    return;
  }
  if (!std::isfinite(interval->low) || !std::isfinite(interval->high)) {
    measured.interval_reason = "no interval: its standard error is larger than any number";
    return;
  }
  measured.low = interval->low;
  measured.high = interval->high;
  measured.interval = interval->method;
}

void add_floor(Measured& measured, std::span<const infer::NullValue> values) {
  if (!measured.estimate || values.empty()) return;
  const auto floor = infer::floor_of(values);
  if (!floor) return;
  measured.floor = floor->mean;
  measured.floor_high = floor->high;
  measured.resamples = values.size();
  measured.judgement = judgement_of(measured.estimate->value, *floor);
}

namespace {

Result<bool> checked(const measure::Estimator& row, const EstimateOptions& options) {
  const auto fine = all_of({in_range(options::bins, options.bins), in_range(options::threads, options.threads)});
  if (!fine) return fine.error();
  if (row.norms == measure::Norms::none) return true;
  if (const auto norm = in_range(options::norm, options.norm); !norm) return norm.error();
  if (const std::string other = options.norm == 1 ? "2" : "1"; !has_norm(row, options.norm))
    return failure(Errc::unsupported, std::string(row.name) + " exists for norm " + other + " only",
                   "pass `norm` " + other);
  return true;
}

// The mean over classes is the survey's business.
Result<Estimate> classwise(const Predictions& predictions, const measure::Estimator& row,
                           const EstimateOptions& options) {
  const auto survey = analysis::survey(predictions, {.reduction = Reduction::classwise,
                                                     .bins = options.bins,
                                                     .norms = {options.norm},
                                                     .estimators = {std::string(row.name)},
                                                     .resample = false,
                                                     .threads = options.threads});
  if (!survey) return survey.error();
  const Measured& mean = survey->measured.front();
  if (!mean.estimate) return Error{Errc::undefined, mean.reason};
  return *mean.estimate;
}

}  // namespace

Result<Estimate> estimate(const Predictions& predictions, const measure::Estimator& row,
                          const EstimateOptions& options) {
  if (const auto fine = checked(row, options); !fine) return fine.error();
  const auto reduction = choose_reduction(predictions, options.reduction);
  if (!reduction) return reduction.error();
  if (*reduction == Reduction::classwise) return classwise(predictions, row, options);
  const measure::Options how{.bins = options.bins, .norm = options.norm};
  if (auto score = matrix_score(predictions, row, how, options.threads)) return *std::move(score);
  const auto data = binary_problem(predictions, *reduction, options.threads);
  if (!data) return data.error();
  const ScopedValidationWorkers checks(numeric::workers(options.threads));
  return row.run(measure::Sample(data->view(), options.threads), how);
}

}  // namespace tare::detail::analysis
