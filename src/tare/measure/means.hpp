// The two numbers every calibration error is about: accuracy, the mean label, and confidence,
// the mean score.
#pragma once

#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

Result<Estimate> accuracy(const Sample& sample, const Options& options = {});
Result<Estimate> confidence(const Sample& sample, const Options& options = {});

extern const Estimator accuracy_estimator;
extern const Estimator confidence_estimator;

}  // namespace tare::detail::measure
