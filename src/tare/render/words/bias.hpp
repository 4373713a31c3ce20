// What is said about a study of bias, in the terminal and on the page.
#pragma once

#include <optional>
#include <string>

#include "tare/core/bias.hpp"

namespace tare::inner::render {

std::string norm_of(const std::optional<int>& norm);  // "l2", or nothing

// Whether the fitted model describes the data; nothing where that could not be seen.
std::string description(const BiasReport& report);

}  // namespace tare::inner::render
