// A truth like the user's data: a distribution of scores and a calibration curve fitted to them, on which the bias of
// an estimator can be computed. Roelofs et al. 2022, section 6 ("bias by construction").
#pragma once

#include "tare/measure/sample.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/simulate/fit/fit_curve.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

enum class CurveChoice { aic, isotonic };

struct FitTruthOptions {
  Saturated saturated = Saturated::censor;
  ScoreKind scores = ScoreKind::empirical;  // the data's own, resampled; or beta, as in the paper
  CurveChoice curve = CurveChoice::aic;
};

struct FittedTruth {
  Truth truth = {};
  std::optional<BetaFit> scores = {};  // empty where no Beta distribution fits and the scores are resampled
  std::vector<CurveFit> table = {};    // the best first; also when the curve is isotonic
};

Result<FittedTruth> fit_truth(const measure::Sample& sample, const FitTruthOptions& options = {});

// The calibration curve as isotonic regression sees it: the closest non-decreasing one, by pooling adjacent violators
// (numeric/order/pav.hpp), with saturated scores tied at 0 and 1. It follows the noise of the labels too: its true
// error is above that of the data's own curve, the more the fewer the rows.

// Linear between blocks.
Curve fit_isotonic(const numeric::Ordered& data);

}  // namespace tare::detail::simulate
