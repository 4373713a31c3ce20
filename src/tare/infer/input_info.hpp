// What every answer says about its input.
#pragma once

#include "tare/core/predictions.hpp"
#include "tare/core/results.hpp"

namespace tare::infer {

InputInfo input_info(const Predictions& predictions, Reduction reduction);

}  // namespace tare::infer
