// 95% intervals for the true calibration error from estimators that have a bias: test inversion along a path of truths.
//
// A calibration curve is fitted to the data, and labels are redrawn on the same scores from truths on the straight path
// from perfect calibration through that curve and beyond. A true error is plausible if the measured value lies between
// the 2.5% and the 97.5% quantile of the estimator there: bias and noise are both in it. What another sample of scores
// would change is added to the width.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tare/infer/interval/interval.hpp"
#include "tare/infer/resample/null.hpp"

namespace tare::inner::infer {

struct PathIntervalOptions {
  std::size_t draws = 200;  // per truth
  std::uint64_t seed = 1;
  int threads = 1;
};

// terms[line]: term_of the measured value; empty: no interval wanted. calibrated: the values of the redrawn labels at
// perfect calibration. Every result is empty where no curve can be fitted, or none that differs from calibration.
std::vector<std::optional<Interval>> path_intervals(const NullCells& cells, std::span<const Line> lines,
                                                    std::span<const std::optional<double>> terms,
                                                    const NullValues& calibrated, const PathIntervalOptions& options);

// Quantiles of an estimator's square at truths of rising squared error, the first being 0.
struct SquarePath {
  std::vector<double> error;
  std::vector<double> quantile;
};
// The squared error at which the quantile is `observed`, 0 below the first. Linear between points, and beyond the last
// with slope 1: bias no longer changes there.
double solved(const SquarePath& path, double observed);

}  // namespace tare::inner::infer
