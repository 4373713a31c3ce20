// Cox's recalibration model logit P(y = 1) = a + b logit(s), by maximum likelihood. Calibration is a = 0, b = 1.
//   cox_slope      b, with a fitted too: below 1 the scores are too extreme, above 1 too timid
//   cox_intercept  a, with b = 1: below 0 there are fewer hits than the scores promise
// Cox 1958, "Two further applications of a model for binary regression", Biometrika 45; Miller et al. 1993.
//
// Scores of exactly 0 and 1 have no logit and are left out; what is wrong there is reported on its own
// (Contradictions).
#pragma once

#include "tare/infer/tests/statistic.hpp"

namespace tare::detail::infer {

struct CoxLine {
  double slope = 1;
  double se = 0;  // of the slope, from the curvature of the likelihood
};
Result<CoxLine> cox_line(const measure::Sample& sample);

Result<double> cox_slope(const measure::Sample& sample);
Result<double> cox_intercept(const measure::Sample& sample);

extern const Test cox_slope_test;
extern const Test cox_intercept_test;

// Hosmer and Lemeshow's C over ten groups of equal counts (deciles of risk),
//   C = sum_k (O_k - E_k)^2 / (n_k f_k (1 - f_k)),
// O_k the hits of group k, E_k = n_k f_k the sum of its scores. Hosmer and Lemeshow 1980.
//
// A group whose scores are all 0 or all 1 has no variance and is left out: what it may contain that a calibrated
// model never does is reported on its own (Contradictions).

Result<double> hosmer_lemeshow(const measure::Sample& sample);

extern const Test hosmer_lemeshow_test;

// Spiegelhalter's Z: the Brier score less its expectation under calibration, in standard deviations,
//   Z = sum (y - s)(1 - 2s) / sqrt( sum (1 - 2s)^2 s (1 - s) ).
// Spiegelhalter 1986, "Probabilistic prediction in patient management and clinical trials".

Result<double> spiegelhalter(const measure::Sample& sample);

extern const Test spiegelhalter_test;

}  // namespace tare::detail::infer
