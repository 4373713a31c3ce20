// Studies of bias as text and JSON: a truth with a name (SimTable), or one fitted to the user's data (BiasReport).
#pragma once

#include <string>

#include "tare/core/bias.hpp"
#include "tare/render/text/text.hpp"

namespace tare::inner::render {

std::string text(const SimTable& table, const TextOptions& options);
std::string json(const SimTable& table);

std::string text(const BiasReport& report, const TextOptions& options);
std::string json(const BiasReport& report);

// What to doubt about the fitted model, or nothing; `names_options`: and what `tare bbc` could do about it.
std::string caveat(const BiasReport& report, bool names_options);

}  // namespace tare::inner::render
