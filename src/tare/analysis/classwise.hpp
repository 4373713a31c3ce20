// K one-vs-rest problems: every line per class, and the unweighted mean over classes. Norm 2 averages squared errors
// and takes the root of the mean; the debiased error averages its unclamped squares, then clamps, then the root.
//
// Noise floors: one class is drawn per row from its probabilities, so that the classes depend on each other as labels
// do. That costs rows x redrawings; beyond `most_joint_draws`, and with weights, each class is redrawn by itself on
// its cells: the floors per class and the mean of the average are as exact, its 95% quantile ignores the dependence.
#pragma once

#include <string>
#include <vector>

#include "tare/analysis/estimate_rows.hpp"
#include "tare/core/options.hpp"
#include "tare/core/survey.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {

inline constexpr std::size_t most_joint_draws = 50'000'000;  // rows x redrawings, about 2 s
inline constexpr std::size_t most_joint_cells = 64'000'000;  // rows x classes, 128 MB
inline constexpr std::size_t most_class_curves = 20;

struct ClasswiseResult {
  std::vector<Measured> measured;  // the means in the order of the lines, then class after class
  std::vector<ClassCurve> curves;  // ascending by class; empty: no line has bins
  std::vector<std::string> notes;
  std::size_t resamples = 0;
};

// Redrawings per class for an estimator that affords `resamples` of one problem: fewer from 20 classes on, never
// fewer than 19, the smallest number with a 95% quantile that a calibrated model exceeds in 5 of 100 cases.
std::size_t class_resamples(std::size_t resamples, std::size_t classes);

struct ClasswiseOptions {
  int bins = options::bins.usual;
  bool resample = true;
  std::uint64_t seed = 1;
  int threads = 1;
  std::size_t joint_draws = most_joint_draws;
  Progress progress = {};
};

Result<ClasswiseResult> survey_classes(const Predictions& predictions, std::vector<infer::ResampledChoice> lines,
                                       const ClasswiseOptions& options);

}  // namespace tare::detail::analysis
