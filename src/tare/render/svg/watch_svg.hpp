// A watch as a picture: the three kinds of evidence day by day, each over its alarm.
#pragma once

#include <string>

#include "tare/core/result.hpp"
#include "tare/core/watch.hpp"

namespace tare::inner::render {

Result<std::string> watch_svg(const WatchReport& report);

}  // namespace tare::inner::render
