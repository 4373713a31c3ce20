// A survey as one JSON object: stable keys, unrounded numbers, null with a reason where there is no number.
#pragma once

#include <string>

#include "tare/core/bias.hpp"
#include "tare/core/results.hpp"

namespace tare::inner::render {

// bias: its numbers beside each estimate; null: nothing was simulated, and there are no such keys.
std::string json(const Survey& survey, const BiasReport* bias = nullptr);  // ends with a newline

}  // namespace tare::inner::render
