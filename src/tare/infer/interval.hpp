// 95% intervals for the true quantity, where a valid method exists: Wilson's for a proportion (Wilson 1927),
// the normal one for means over rows, and for the debiased error the normal one of its unclamped square, clipped
// at 0, then the root. The plug-in errors have none: their bias is not small beside their spread.
#pragma once

#include <optional>
#include <string>

#include "tare/core/results.hpp"
#include "tare/measure/spec.hpp"

namespace tare::infer {

struct Interval {
  double low = 0;
  double high = 0;
  std::string method = {};
};

Interval wilson(double rate, double n);

// n: the sum of weights behind the estimate.
std::optional<Interval> interval_of(const measure::Row& row, const Estimate& estimate, double n);

// Why a line has no interval.
std::string no_interval_reason(const measure::Row& row);

}  // namespace tare::infer
