#include "tare/analysis/estimate.hpp"

#include <string>

#include "tare/analysis/estimate_rows.hpp"
#include "tare/analysis/input_info.hpp"
#include "tare/analysis/survey.hpp"
#include "tare/core/options.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {
namespace {

Result<bool> check(const measure::Estimator& row, const EstimateOptions& options) {
  const auto fine = all_of({in_range(options::bins, options.bins), in_range(options::threads, options.threads)});
  if (!fine) return fine.error();
  if (row.norms == measure::Norms::none) return true;
  if (const auto norm = in_range(options::norm, options.norm); !norm) return norm.error();
  if (const std::string other = options.norm == 1 ? "2" : "1"; !has_norm(row, options.norm))
    return Error{.code = Errc::unsupported,
                 .what = std::string(row.name) + " exists for norm " + other + " only",
                 .remedy = "pass `norm` " + other};
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
  if (const auto fine = check(row, options); !fine) return fine.error();
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
