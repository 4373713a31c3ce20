// SVG to PNG by a program that is installed: rsvg-convert, else inkscape.
#pragma once

#include <string>
#include <string_view>

#include "tare/core/result.hpp"

namespace tare::inner::cli {

Result<std::string> find_rasteriser();  // its path

Result<std::string> png(const std::string& rasteriser, std::string_view svg);

}  // namespace tare::inner::cli
