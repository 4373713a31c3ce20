// Marks and lines as the palette has them (core/palette.hpp), and what a page around a picture needs to show it dark.
#pragma once

#include <string>
#include <string_view>

#include "tare/core/palette.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::inner::render {

void draw_mark(Svg& svg, double x, double y, const Look& look, double radius = 3.4);
bool is_open(MarkShape shape);  // its inside is the ground

// A short piece of the line with its mark, for legends.
void draw_sample(Svg& svg, double x, double y, double width, const Look& look);

// Rules for the style sheet of a page: under `scope` ("svg", or "@media" is the caller's) every colour of the palette
// becomes its dark one.
std::string dark_rules(std::string_view scope = "svg");

}  // namespace tare::inner::render
