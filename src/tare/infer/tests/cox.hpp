// Cox's recalibration model logit P(y = 1) = a + b logit(s), by maximum likelihood. Calibration is a = 0, b = 1.
//   cox_slope      b, with a fitted too: below 1 the scores are too extreme, above 1 too timid
//   cox_intercept  a, with b = 1: below 0 there are fewer hits than the scores promise
// Cox 1958, "Two further applications of a model for binary regression", Biometrika 45; Miller et al. 1993.
//
// Scores of exactly 0 and 1 have no logit and are left out; what is wrong there is reported on its own
// (Contradictions).
#pragma once

#include "tare/infer/tests/statistic.hpp"

namespace tare::inner::infer {

Result<double> cox_slope(const measure::Sample& sample);
Result<double> cox_intercept(const measure::Sample& sample);

inline constexpr TestRow cox_slope_row{
    .name = "cox_slope",
    .title = "Cox calibration slope",
    .summary = "slope of the labels' log-odds on the scores' log-odds; below 1: scores too extreme",
    .citation = "Cox 1958; Miller et al. 1993",
    .two_sided = true,
    .statistic = cox_slope};

inline constexpr TestRow cox_intercept_row{
    .name = "cox_intercept",
    .title = "Cox calibration intercept",
    .summary = "shift of the log-odds that makes the scores right on average; below 0: scores too high",
    .citation = "Cox 1958; Miller et al. 1993",
    .two_sided = true,
    .statistic = cox_intercept};

}  // namespace tare::inner::infer
