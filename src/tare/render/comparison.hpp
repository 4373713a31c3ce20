// A comparison of calibrators, for a person and for a program.
#pragma once

#include <string>

#include "tare/core/comparison.hpp"
#include "tare/render/text/text.hpp"

namespace tare::inner::render {

std::string text(const Comparison& comparison, const TextOptions& options = {});
std::string json(const Comparison& comparison);  // ends with a newline

}  // namespace tare::inner::render
