// Marks and lines as the palette has them (core/palette.hpp).
#pragma once

#include "tare/core/palette.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::detail::render {

void draw_mark(Svg& svg, double x, double y, const Style& look, double radius = 3.4);
bool is_open(MarkShape shape);  // its inside is the ground

// A short piece of the line with its mark, for legends.
void draw_sample(Svg& svg, double x, double y, double width, const Style& look);

}  // namespace tare::detail::render
