// What charts share: scales that may be logarithmic, round ticks, looks that can be told apart without colour, a
// legend.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tare/render/svg/chart.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::detail::render {

inline constexpr std::string_view chart_ink = palette::ink.light, chart_faint = palette::grid.light;

// A name of a legend and how its series looks.
struct Entry {
  std::string name = {};
  Style look = {};
  std::string fill = {};  // of its box, where a legend has boxes
};

// Each name once. An estimator brings its look; the others take those of the palette in turn.
std::vector<Entry> entries_of(const std::vector<std::pair<std::string, std::optional<Style>>>& series);

// An axis with its range settled.
struct Ruler {
  bool log = false;
  double low = 0, high = 1;
  double from = 0, to = 1;  // pixels
  [[nodiscard]] double operator()(double value) const;
  [[nodiscard]] std::vector<Tick> ticks(int most) const;
};

// Wide enough for the values, at round numbers where the axis does not say otherwise.
Ruler ruler(const Axis& axis, double low, double high);

void y_ruler(Svg& svg, const Frame& frame, const Ruler& y, std::string_view title);

// Entries from left to right and line by line; returns the height taken. A null svg only measures.
double legend(Svg* svg, double left, double top, double width, const std::vector<Entry>& entries, bool boxes);

double title_width(std::string_view title);  // in pixels, about

// "12,800": short numbers for ticks.
std::string tick_text(double value);

}  // namespace tare::detail::render
