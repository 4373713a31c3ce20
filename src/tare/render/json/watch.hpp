// A watch as one JSON object.
#pragma once

#include <string>

#include "tare/core/watch.hpp"

namespace tare::inner::render {

std::string json(const WatchReport& report);

}  // namespace tare::inner::render
