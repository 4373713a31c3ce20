#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/svg/chart_parts.hpp"

namespace tare::detail::render {
namespace {

constexpr double cell_width = 44, cell_height = 26, heat_left = 78, gap = 70, heat_heading = 48, below = 50;

// White at 0, darker the further away: blue below, orange above. Printed without colour, the sign is in the number.
std::string shade(double value, double most) {
  const double t = std::min(std::abs(value) / most, 1.0) * 0.85;
  const std::string_view to = (value < 0 ? palette::blue : palette::vermilion).light;  // #rrggbb
  const auto mix = [&](std::size_t i) {
    return static_cast<int>(
        std::lround(255 + (std::stoi(std::string(to.substr(1 + 2 * i, 2)), nullptr, 16) - 255) * t));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
}

std::string number(double value, int digits) {
  const std::string out = fmt::format("{:.{}f}", value, digits);
  return out.starts_with("-") && out.find_first_not_of("-0.") == std::string::npos ? out.substr(1) : out;
}

double width_of(const HeatPanel& panel) { return cell_width * static_cast<double>(panel.columns.size()); }
double height_of(const HeatPanel& panel) { return cell_height * static_cast<double>(panel.rows.size()); }

void draw_panel(Svg& svg, const HeatChart& chart, const HeatPanel& panel, double left, double top, double most) {
  svg.text(left + width_of(panel) / 2, top - 8, panel.title, {.size = 12, .bold = true, .anchor = "middle"});
  for (std::size_t r = 0; r < panel.rows.size(); ++r) {
    const double y = top + cell_height * static_cast<double>(r);
    svg.text(left - 6, y + cell_height / 2 + 4, panel.rows[r], {.size = 10.5, .anchor = "end"});
    for (std::size_t c = 0; c < panel.columns.size(); ++c) {
      const double x = left + cell_width * static_cast<double>(c);
      const auto& value = panel.value[r][c];
      svg.rect(
          {x, y, cell_width, cell_height},
          {.fill = value ? shade(*value, most) : std::string(palette::empty.light), .stroke = palette::ground.light});
      if (value)
        svg.text(x + cell_width / 2, y + cell_height / 2 + 4, number(*value, chart.digits),
                 {.size = 10.5, .anchor = "middle"});
    }
  }
  for (std::size_t c = 0; c < panel.columns.size(); ++c)
    svg.text(left + cell_width * (static_cast<double>(c) + 0.5), top + height_of(panel) + 15, panel.columns[c],
             {.size = 10.5, .anchor = "middle"});
  svg.text(left + width_of(panel) / 2, top + height_of(panel) + 31, chart.x_title, {.size = 11.5, .anchor = "middle"});
  svg.text(left - 50, top + height_of(panel) / 2, chart.y_title, {.size = 11.5, .anchor = "middle", .upwards = true});
}

}  // namespace

std::string chart_svg(const HeatChart& chart) {
  double most = 1e-12, height = heat_heading;
  for (const HeatPanel& panel : chart.panels)
    for (const auto& row : panel.value)
      for (const auto& value : row) most = std::max(most, value ? std::abs(*value) : 0);
  double widest = 0;
  std::vector<Point> places;  // two panels in a row
  for (std::size_t i = 0; i < chart.panels.size(); i += 2) {
    double left = heat_left, row_height = 0;
    for (std::size_t j = i; j < std::min(i + 2, chart.panels.size()); ++j) {
      places.push_back({left, height});
      left += width_of(chart.panels[j]) + gap;
      row_height = std::max(row_height, height_of(chart.panels[j]));
    }
    widest = std::max(widest, left - gap);
    height += row_height + below + 30;
  }
  Svg svg(std::max(widest + 20, title_width(chart.title)), height - 26, chart.title,
          fmt::format("{} by {}", chart.y_title, chart.x_title));
  svg.text(14, 20, chart.title, {.size = 13, .bold = true});
  for (std::size_t i = 0; i < places.size(); ++i)
    draw_panel(svg, chart, chart.panels[i], places[i].x, places[i].y, most);
  return svg.str();
}

}  // namespace tare::detail::render
