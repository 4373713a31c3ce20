// Which calibrator to use, from what each lost on validation rows it was not fitted on. Its gain over the input as it
// is must be more than noise: 95% of itself for a method of one or a few numbers and for the simplest that are tried;
// the others must be clear of what the best of all methods tried may gain by chance (Bonferroni). Among those the one
// with the largest cautious gain is taken: the gain less half a standard error, one for a few numbers per class, one
// and a half for free curves and matrices. The lowest loss alone, which is said too, is too often that of a method that
// fits noise (docs/studies/choice_of_method.md).
#pragma once

#include <span>

#include "tare/core/comparison.hpp"

namespace tare::detail::analysis {

// What one method lost, row by row. The first is the input as it is.
struct OutOfFold {
  std::string_view method;
  int complexity = 0;            // Calibrator::complexity; 0: nothing is fitted
  std::span<const double> loss;  // empty: the method could not be fitted
  double mean = 0;               // of the losses; infinite if one is
};

Winner recommend(std::span<const OutOfFold> methods, std::span<const double> weight, Criterion criterion);

}  // namespace tare::detail::analysis
