// The test of rank_poly: Z = max_K ( D_K / sqrt(N_K) - sqrt(K) ), the largest leave-one-out squared error over all
// degrees, each in units of its noise under calibration and less what K terms are worth by chance
// (docs/methods/rank_poly.md).
#pragma once

#include <algorithm>
#include <cassert>

#include "tare/infer/tests/statistic.hpp"
#include "tare/measure/rank_poly/rank_poly.hpp"

namespace tare::inner::infer {

inline Result<double> rank_poly_z(const measure::Sample& sample) {
  const auto estimate = measure::rank_poly(sample);
  if (!estimate) return estimate.error();
  const auto z =
      std::find_if(estimate->parts.begin(), estimate->parts.end(), [](const Part& p) { return p.name == "z"; });
  assert(z != estimate->parts.end());
  return z->value;
}

inline constexpr TestRow rank_poly_row{
    .name = "rank_poly",
    .title = "Z of rank_poly",
    .summary = "the squared gap that the other rows predict, over all degrees, in units of its noise",
    .citation = "this project, docs/methods/rank_poly.md",
    .statistic = rank_poly_z};

}  // namespace tare::inner::infer
