// The bias of estimators on data like the user's (Roelofs et al. 2022, section 6: fit a distribution of scores and a
// calibration curve, simulate from them), and measured values corrected for it.
//
// A value is corrected by inverting the mean of its estimator: among truths on the straight path from perfect
// calibration through the fitted curve, with the fitted scores and the same n, the one whose mean estimate is the
// value.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tare/analysis/survey.hpp"
#include "tare/core/bias.hpp"
#include "tare/core/options.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/progress.hpp"
#include "tare/core/simulation.hpp"
#include "tare/simulate/engine.hpp"
#include "tare/simulate/fit/fit_truth.hpp"

namespace tare::detail::analysis {

struct BiasOptions {
  std::optional<Reduction> reduction = {};
  int bins = options::bins.usual;
  std::vector<int> norms = {1, 2};
  std::vector<std::string> estimators = {};  // names; empty: all that estimate the true error
  std::vector<std::size_t> sizes = {};       // beside the data's own n
  std::size_t replicates = options::replicates.usual;
  std::uint64_t seed = 1;
  int threads = 1;
  simulate::FitTruthOptions fit = {};
  Progress progress = {};
  const std::atomic<bool>* cancel = nullptr;
  std::string checkpoint = {};
};

Result<BiasReport> bias(const Predictions& predictions, const BiasOptions& options = {});

// That of the estimators of a survey, in a second or two.
Result<BiasReport> simulated_bias(const Predictions& predictions, const SurveyOptions& options,
                                  const std::atomic<bool>* cancel = nullptr);

// The same estimators on samples of a truth that is known; sizes 200, 500, 1000 and 5000 unless some are named.
Result<SimTable> bias_of(const simulate::Truth& truth, const BiasOptions& options = {});

// The size of the samples for these data: their total weight, but no more than 100,000 unless there are more rows. The
// cost must be that of the rows, whatever they weigh; and from there on biases are small.
std::size_t simulated_size(const InputInfo& input);

// At most `asked`, and as many as cost a second or two at this n, but no fewer than `fewest`: bias falls with n, and
// the time would not.
std::size_t affordable_replicates(std::size_t n, std::size_t asked, std::size_t fewest = 100);

// Means of one estimator along the path: error[0] = 0, ascending.
struct Path {
  std::vector<double> error;
  std::vector<double> mean;
};
// The error at which the mean is `observed`; 0 below the mean at 0. Between points, and beyond the last one, squares
// are taken to be linear: variance adds to the square of an error.
double inverted(const Path& path, double observed);

// The estimators that estimate the true calibration error, with the norms they have.
Result<std::vector<measure::Choice>> bias_choices(const BiasOptions& options);

// For each choice: its bias at the fitted truth and n, and the observed value corrected. Replicates at large n are
// fewer: the bias falls with n, and the time would not.
Result<std::vector<Correction>> corrections(const simulate::FittedTruth& fit, std::span<const measure::Choice> choices,
                                            const measure::Sample& sample, std::size_t n, const BiasOptions& options);

// Estimators on a truth that is named instead of fitted: a network of Roelofs et al. 2022, or a distribution of scores
// and a calibration curve of one's own.

struct NamedTruth {
  std::string model = {};         // of simulate::models()
  std::vector<double> beta = {};  // alpha and beta of the scores; empty: uniform
  std::string curve = {};         // FAMILY:x,y; empty: perfectly calibrated
  bool perfect = false;           // the same scores, and the identity as the curve
};

// Of `options` all but what is about fitting; no sizes: 200, 500, 1000 and 5000.
Result<SimTable> study_truth(const NamedTruth& truth, const BiasOptions& options);

}  // namespace tare::detail::analysis
