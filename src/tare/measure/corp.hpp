// CORP: the score of the forecasts against the score of their isotonic recalibration (PAV) and
// of the base rate, S = miscalibration - discrimination + uncertainty, for the Brier and the log
// score. The value is the Brier miscalibration. Dimitriadis, Gneiting and Jordan 2021.
#pragma once

#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

Result<Estimate> corp(const Sample& sample, const Options& options = {});

extern const Estimator corp_estimator;

}  // namespace tare::detail::measure
