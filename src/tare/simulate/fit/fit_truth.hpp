// A truth like the user's data: a distribution of scores and a calibration curve fitted to them, on which the bias of
// an estimator can be computed. Roelofs et al. 2022, section 6 ("bias by construction").
#pragma once

#include <optional>

#include "tare/core/model.hpp"
#include "tare/core/result.hpp"
#include "tare/measure/sample.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

// A Beta distribution of scores by maximum likelihood: Roelofs et al. 2022, section 6 and Table 2. Scores within about
// 2^-20 of 0 or 1 are saturated: where exactly they lie is an accident of float32 or float64, and it decides the fit if
// it is believed. So they are censored by default: they count as P(1 - c < saturation), or as P(c < saturation).

// A little below 2^-20: between neighbouring values of 1 - c both where softmax ran in float32 (multiples of 2^-23,
// since the sum of exponentials is at least 1) and where it ran in float64 and was stored in float32 (multiples of
// 2^-24), so that rounding carries few rows across.
inline constexpr double saturation = 14.75 * 0x1p-24;

inline bool saturated_high(double c) { return 1 - c < saturation; }
inline bool saturated_low(double c) { return c < saturation; }

enum class Saturated {
  censor,  // only known to be saturated
  shift,   // the paper's rule: c - 1e-16 in double precision for all, nothing censored
};

struct BetaFit {
  Saturated saturated = Saturated::censor;  // the rule used
  double alpha = 1;
  double beta = 1;
  double alpha_error = 0;  // standard errors, from the observed information
  double beta_error = 0;
  double nll = 0;
  double aic = 0;   // 2 * 2 + 2 nll
  double rows = 0;  // total weight
  double high = 0;  // of which saturated at 1
  double low = 0;   // and at 0
  FitStatus status = FitStatus::converged;
  int iterations = 0;
  double gradient = 0;  // of the mean log-likelihood in ln alpha, ln beta; largest component
};

// Undefined for scores that are all equal, or all saturated.
Result<BetaFit> fit_beta_scores(const numeric::Ordered& scores, Saturated saturated = Saturated::censor);

// Calibration curves by maximum likelihood: the twelve generalised linear models of Roelofs et al. 2022, Table 3, and
// the identity, compared by AIC = 2 k + 2 nll on the same rows.
//
// Which rows: all of them. Of a saturated row (above) only that is known, and its rate of misses under a
// curve is the mean over where the fitted Beta distribution puts such scores. Under the paper's rule (Saturated::shift)
// rows with a score of exactly 0 or 1 are left out. Curves of the links log and logflip must give a probability at
// every row and may not fall (b1 >= 0: else they are unbounded on (0, 1), where Beta scores are); an optimum on such a
// bound is reported as at_bound.

struct CurveFit {
  std::string name;  // logit_logit_b1: the family and its free coefficients
  Curve curve = {};
  int parameters = 0;
  double nll = 0;
  double aic = 0;
  std::vector<std::optional<double>> errors = {};  // standard errors; none for fixed coefficients and on a bound
  FitStatus status = FitStatus::converged;
  int iterations = 0;
  double gradient = 0;  // of the mean nll along the free coefficients; largest component
  std::string note = {};
};

// The best first. Fits without an optimum (unbounded, iteration_limit) come last whatever their AIC.
// Undefined if the rows are all hits or all misses.
Result<std::vector<CurveFit>> fit_curves(const numeric::Ordered& data, const BetaFit& scores);

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
