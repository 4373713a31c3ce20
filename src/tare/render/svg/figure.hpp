// What pictures share: which line of a survey is drawn, headings, words, axes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/core/palette.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::detail::render {

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

// "n = 10,000 · K = 10 · top_label"
std::string facts_of(const InputInfo& input);
std::string source_of(const InputInfo& input);

// The name of the data, the facts and a line about the picture; returns where the picture begins.
double kind_heading(Svg& svg, const InputInfo& input, std::string_view about, double width, bool shown);
inline constexpr double kind_heading_height = 66, kind_no_heading_height = 14;
constexpr double kind_top(bool heading) { return heading ? kind_heading_height : kind_no_heading_height; }

// "temperature, fitted on ...net.npz (val)", at most `columns` wide: of a path the beginning is left out.
std::string fitted_words(std::string_view method, std::string_view on, std::size_t columns);

// Round numbers of percent for the axis of a fraction.
std::vector<Tick> ticks_of(double low, double high, int most = 6);

}  // namespace tare::detail::render
