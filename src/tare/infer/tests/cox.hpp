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

}  // namespace tare::detail::infer
