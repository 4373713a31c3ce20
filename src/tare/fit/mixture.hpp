// The mixture of three densities with the largest likelihood: minimises the mean of -ln sum_j w_j p_j over
// w >= 0, sum w = 1. At the optimum the mean of p_j / q is 1 where w_j > 0 and at most 1 elsewhere
// (Lindsay 1995), so faces of the triangle are tried from corners to the inside and the first that passes is it.
#pragma once

#include <array>
#include <span>

namespace tare::detail::fit {

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
