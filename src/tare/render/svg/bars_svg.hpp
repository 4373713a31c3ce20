// The reliability diagram with bars.
#pragma once

#include "tare/render/svg/pictures.hpp"

namespace tare::inner::render {

Result<std::string> bars_svg(const Survey& survey, const PictureOptions& options);

}  // namespace tare::inner::render
