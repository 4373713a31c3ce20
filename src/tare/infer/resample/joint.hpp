// Labels of all classes redrawn together: one class per row, from the row's probabilities.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/infer/resample/null.hpp"

namespace tare::detail::infer {

struct JointClass {
  NullCells null;
  std::vector<std::uint16_t> cell_of_row;
  std::vector<ResampledChoice> lines;
};

// [class][line][replicate]
std::vector<NullValues> joint_values(const MulticlassView& view, std::span<const JointClass> classes,
                                     std::uint64_t seed, int threads, const Progress& progress = {});

// Running sums of a row's class probabilities (softmax of logits; probabilities as they are, whatever they sum to).
void cumulative_probabilities(const MulticlassView& view, std::size_t row, std::span<double> out);

}  // namespace tare::detail::infer
