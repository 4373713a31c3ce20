// A report as one HTML file that needs nothing else: no network, no framework. Pictures are inline SVG, switches are
// form controls that style sheets obey, and the few lines of script only add comfort.
#pragma once

#include <string>

#include "tare/core/report.hpp"

namespace tare::detail::render {

std::string page(const Report& report);

}  // namespace tare::detail::render
