// A watch for a person at a terminal: the answers, a line for each day, a picture of characters.
#pragma once

#include <string>

#include "tare/core/watch.hpp"
#include "tare/render/text/text.hpp"

namespace tare::inner::render {

std::string text(const WatchReport& report, const TextOptions& options = {});

}  // namespace tare::inner::render
