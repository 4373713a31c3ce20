// ECE with the number of bins chosen by the data: the largest b such that, for every count up to b, the
// bins' observed rates never decrease. Roelofs et al. 2022, Algorithm 1; equal mass (sweep_em) or width (sweep_ew).
//
// Usually some twenty counts are tried, and a count of b takes b lookups. Where the rates go on rising, that would be
// quadratic; but only neighbouring bins that hold a descent (a group of equal scores whose rate exceeds that of the
// next group) can violate the order, so after about n / 16 lookups only those are looked at: separated, nearly
// separated and few-level data stay linear.
#pragma once

#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

Result<Estimate> sweep_ew(const Sample& sample, const Options& options = {});
Result<Estimate> sweep_em(const Sample& sample, const Options& options = {});

extern const Estimator sweep_ew_estimator;
extern const Estimator sweep_em_estimator;

}  // namespace tare::detail::measure
