// Ensemble temperature scaling: w1 softmax(z / T) + w2 softmax(z) + w3 / K with w >= 0 summing to 1; the top label
// never changes. Zhang, Kailkhura & Han 2020, section 3.2. T first, by temperature scaling; then w with T fixed,
// by mean NLL: convex in w, solved exactly.
#pragma once

#include <array>
#include <span>

#include "tare/fit/spec.hpp"

namespace tare::detail::fit {

extern const Calibrator ensemble_temperature_calibrator;

// The mixture of three densities with the largest likelihood: minimises the mean of -ln sum_j w_j p_j over
// w >= 0, sum w = 1. At the optimum the mean of p_j / q is 1 where w_j > 0 and at most 1 elsewhere
// (Lindsay 1995), so faces of the triangle are tried from corners to the inside and the first that passes is it.
using Three = std::array<double, 3>;

struct Mixture {
  Three w = {1, 0, 0};
  double violation = 0;  // of the condition above
  double value = 0;      // mean of -ln q
  int iterations = 0;
};

// One triple of densities per row, not all 0; empty weights mean all ones.
Mixture best_mixture(std::span<const Three> p, std::span<const double> weight);

}  // namespace tare::detail::fit
