// What is said about a study of bias, in the terminal and on the page.
#pragma once

#include <optional>
#include <string>

#include "tare/core/bias.hpp"

namespace tare::inner::render {

std::string norm_of(const std::optional<int>& norm);  // "l2", or nothing

// What to doubt about the fitted model, or nothing; `names_options`: and what `tare bbc` could do about it.
std::string caveat(const BiasReport& report, bool names_options);

}  // namespace tare::inner::render
