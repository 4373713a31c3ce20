// What charts share: scales that may be logarithmic, round ticks, looks that can be told apart without colour, a
// legend.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/render/svg/chart.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::inner::render {

inline constexpr std::string_view chart_ink = "#222", chart_faint = "#e2e2e2";

// How the i-th series looks.
struct SeriesStyle {
  std::string_view colour;
  std::string_view dash;
  int marker = 0;
};
SeriesStyle style_of(std::size_t i);

void marker(Svg& svg, double x, double y, const SeriesStyle& style);

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

void panel_axes(Svg& svg, const Frame& frame, const Ruler& x, const Ruler& y, std::string_view x_title,
                std::string_view y_title);
void y_ruler(Svg& svg, const Frame& frame, const Ruler& y, std::string_view title);

// Entries from left to right and line by line; returns the height taken. A null svg only measures.
double legend(Svg* svg, double left, double top, double width, const std::vector<std::string>& names, bool boxes);

double title_width(std::string_view title);  // in pixels, about

// "12,800": short numbers for ticks.
std::string tick_text(double value);

}  // namespace tare::inner::render
