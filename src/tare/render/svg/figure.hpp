// What the pictures of a survey share: which line is drawn, its heading, its words.
#pragma once

#include <string_view>

#include "tare/core/palette.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::inner::render {

inline constexpr double figure_width = 460;
inline constexpr double heading_height = 90;
inline constexpr double no_heading_height = 14;
inline constexpr std::string_view bar_colour = palette::bar.light, dark = palette::ink.light;

// The measured line with the bins to draw, or why there is none.
Result<const Measured*> drawn(const Survey& survey, const PictureOptions& options);

// `heading`: source, facts and value above the picture; a page around it says them itself.
Svg figure(const Survey& survey, const Measured& measured, std::string_view kind, double height, bool heading = true);

struct Words {
  std::string_view score, mean_score, rate, over, under;
};
Words words(Reduction reduction);

}  // namespace tare::inner::render
