// The log loss of a fit from what is known of its map, where the map gives many rows the same number: none of the rows
// is mapped.
#pragma once

#include <cstdint>
#include <span>

#include "tare/fit/spec.hpp"

namespace tare::inner::fit {

// Rows of weight 1 that a map of two classes gives the same probability of class 1.
struct MappedRows {
  double probability = 0;
  std::uint64_t hits = 0, misses = 0;
};

// What with_nll() of report.hpp adds.
Model with_nll(Model model, const MulticlassView& view, std::span<const MappedRows> after, int threads);

}  // namespace tare::inner::fit
