// A survey as one JSON object: stable keys, unrounded numbers, null with a reason where there is no number.
#pragma once

#include <string>

#include "tare/core/results.hpp"

namespace tare::render {

std::string json(const Survey& survey);  // ends with a newline

}  // namespace tare::render
