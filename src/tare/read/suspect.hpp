// What looks wrong about predictions that can be read, and what to do about those that cannot.
#pragma once

#include <string>
#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/read/convert.hpp"

namespace tare::inner::read {

// Sentences about labelled rows, with the remedy: accuracy far below chance, probabilities declared as logits.
std::vector<std::string> suspicions(const MulticlassView& view);

// A better remedy where the numbers explain the error: percentages, labels counted from 1, sums that are not 1.
void explain(Error& error, const Matrix& m, Kind kind, std::span<const std::int32_t> labels);

}  // namespace tare::inner::read
