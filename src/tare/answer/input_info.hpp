// What every answer says about its input.
#pragma once

#include "tare/core/predictions.hpp"
#include "tare/core/results.hpp"

namespace tare::inner::answer {

// What to say where weights sum to less than half of the rows that have one; else nothing.
std::string weight_note(double total, std::size_t rows);

InputInfo input_info(const Predictions& predictions, Reduction reduction);

}  // namespace tare::inner::answer
