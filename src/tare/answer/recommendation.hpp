// Which calibrator to use, from what each lost on validation rows it was not fitted on: the one with the lowest mean
// loss, but none where its gain over the input as it is may be noise. It is more than noise if it is so for the best of
// all methods looked at (Bonferroni), or for the simplest of them, where that may be as good: one look. Whether its
// lead over a simpler method may be noise is said, and changes nothing: a rule that prefers the simpler one within a
// standard error gives up repairs of single classes (docs/studies/choice_of_method.md).
#pragma once

#include <span>
#include <vector>

#include "tare/core/comparison.hpp"

namespace tare::inner::answer {

// What one method lost, row by row. The first is the input as it is.
struct OutOfFold {
  std::string_view method;
  int complexity = 0;            // Calibrator::complexity; 0: nothing is fitted
  std::span<const double> loss;  // empty: the method could not be fitted
  double mean = 0;               // of the losses; infinite if one is
};

Winner recommend(std::span<const OutOfFold> methods, std::span<const double> weight, Criterion criterion);

}  // namespace tare::inner::answer
