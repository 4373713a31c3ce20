// 95% intervals for the true quantity, where a valid method exists: Wilson's for a proportion (Wilson 1927), the normal
// one for means over rows, and for errors with an unclamped square D the inversion below. The plug-in errors have none:
// their bias is not small beside their spread. How often each holds the true error: docs/studies/coverage.md.
//
// A true squared error q is plausible if D is no further from it than D scatters. Its variance depends
// on q, about N + c q, so the limits solve a quadratic equation, as Wilson's do, and are never empty. Low end: near 0
// a D scatters like a sum of squares, with more large values than a normal one has, and its degree was chosen for being
// large, so 3.2 sqrt(N) counts there ((x^2 - 1) / sqrt(2) with x normal has its 97.5% quantile at 2.84). High end: an
// error may hide in degrees that were not chosen because they are noisier, so for rank_poly the larger limit of the
// chosen and of the highest degree counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tare/core/estimator.hpp"
#include "tare/core/results.hpp"

namespace tare::detail::infer {

struct Interval {
  double low = 0;
  double high = 0;
  std::string method = {};
};

Interval wilson(double rate, double n);

// n: the sum of weights behind the estimate.
std::optional<Interval> interval_of(const EstimatorInfo& about, const Estimate& estimate, double n);

// Why a line has no interval.
std::string_view no_interval_reason(const EstimatorInfo& about);

}  // namespace tare::detail::infer
