#include <fmt/format.h>

#include <algorithm>

#include "tare/render/svg/chart_parts.hpp"

namespace tare::detail::render {
namespace {

constexpr double bars_left = 66, bars_heading = 40, plot_height = 240;

std::string pattern(const BarChart& chart, std::size_t number) {
  return chart.id + (chart.id.empty() ? "bar" : "-bar") + std::to_string(number);
}

// One entry for each series, in their order; names may repeat.
std::vector<Entry> legend_of(const BarChart& chart) {
  std::vector<Entry> out;
  for (std::size_t s = 0, others = 0; s < chart.series.size(); ++s) {
    const bool known = s < chart.looks.size() && chart.looks[s];
    const Style look = known ? *chart.looks[s] : palette::series_style(others++);
    // the colour, or lines of it where the mark is open
    out.push_back({chart.series[s], look,
                   is_open(look.mark) ? "url(#" + pattern(chart, s) + ")" : std::string(look.colour.light)});
  }
  return out;
}

double group_width(const BarChart& chart) {
  std::size_t longest = 0;
  for (const std::string& name : chart.groups)
    longest = std::max(longest, std::min<std::size_t>(name.find_last_of(" _"), name.size()));
  return std::max(
      {56.0, 11.0 * static_cast<double>(chart.series.size()) + 22, 5.4 * static_cast<double>(longest) + 12});
}

void draw_group(Svg& svg, const BarChart& chart, const std::vector<Entry>& entries, std::size_t g, const Frame& frame,
                const Ruler& y) {
  const double each = group_width(chart), bar = (each - 16) / static_cast<double>(chart.series.size());
  const double left = frame.left + each * static_cast<double>(g) + 8;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    if (!chart.value[s][g]) continue;
    const double base = y(std::clamp(0.0, y.low, y.high)), tip = y(std::min(*chart.value[s][g], y.high));
    svg.rect({left + bar * static_cast<double>(s), std::min(base, tip), bar - 1, std::abs(base - tip)},
             {.fill = entries[s].fill, .stroke = chart_ink, .width = 0.6});
    if (*chart.value[s][g] > y.high)  // a bar cut off says how tall it is
      svg.text(left + bar * (static_cast<double>(s) + 0.5), frame.top - 4, fmt::format("{:.0f}", *chart.value[s][g]),
               {.size = 8.5, .anchor = "middle"});
  }
  // long names on two lines
  const std::string& name = chart.groups[g];
  const std::size_t cut = name.size() > 10 ? name.find_last_of(" _", name.size() - 1) : std::string::npos;
  const double x = frame.left + each * (static_cast<double>(g) + 0.5);
  svg.text(x, frame.bottom() + 15, name.substr(0, cut), {.size = 9.5, .anchor = "middle"});
  if (cut != std::string::npos)
    svg.text(x, frame.bottom() + 27, name.substr(cut + 1), {.size = 9.5, .anchor = "middle"});
}

}  // namespace

std::string chart_svg(const BarChart& chart) {
  const auto entries = legend_of(chart);
  double low = 0, high = 0;
  for (const auto& row : chart.value)
    for (const auto& value : row)
      if (value) low = std::min(low, *value), high = std::max(high, *value);
  const Frame frame{bars_left, bars_heading, group_width(chart) * static_cast<double>(chart.groups.size()),
                    plot_height};
  const double width = std::max(frame.right() + 20, title_width(chart.title));
  const double height = frame.bottom() + 44 + legend(nullptr, 0, 0, width - 32, entries, true);
  Svg svg(width, height, chart.title, chart.y.title);
  svg.text(14, 20, chart.title, {.size = 13, .bold = true});
  for (std::size_t s = 0, open = 0; s < entries.size(); ++s)
    if (is_open(entries[s].look.mark))
      svg.hatch(pattern(chart, s), palette::ground.light, entries[s].look.colour.light, open++ % 2 == 1);
  Ruler y = ruler(chart.y, low, high);
  y.from = frame.bottom(), y.to = frame.top;
  for (const Tick& tick : y.ticks(7))
    svg.line(frame.left, y(tick.at), frame.right(), y(tick.at), {.stroke = chart_faint});
  for (std::size_t g = 0; g < chart.groups.size(); ++g) draw_group(svg, chart, entries, g, frame, y);
  svg.line(frame.left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = chart_ink});
  y_ruler(svg, frame, y, chart.y.title);
  legend(&svg, 16, frame.bottom() + 38, width - 32, entries, true);
  return svg.str();
}

}  // namespace tare::detail::render
