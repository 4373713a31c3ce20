#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/svg/chart_parts.hpp"

namespace tare::detail::render {
namespace {

constexpr double row_height = 20, panel_heading = 24, panel_foot = 46, dumbbells_heading = 34, dumbbells_gap_x = 26,
                 dumbbells_gap_y = 14;

double label_width(const DumbbellChart& chart) {
  std::size_t longest = 0;
  for (const DumbbellPanel& panel : chart.panels)
    for (const Dumbbell& row : panel.rows) longest = std::max(longest, row.label.size());
  return 5.9 * static_cast<double>(longest) + 22;
}

double height_of(const DumbbellPanel& panel) {
  return panel_heading + row_height * static_cast<double>(panel.rows.size()) + panel_foot;
}

std::string tip(const DumbbellChart& chart, const DumbbellPanel& panel, const Dumbbell& row) {
  std::string out = panel.title + (panel.title.empty() || row.label.empty() ? "" : ", ") + row.label + ": ";
  if (row.published) out += fmt::format("{} {:.4g}", chart.published, *row.published);
  if (row.published && row.ours) out += ", ";
  if (row.ours) out += fmt::format("{} {:.4g}", chart.ours, *row.ours);
  return out;
}

// At the end of the axis, and with its number, what lies beyond it.
double placed(Svg& svg, const Ruler& x, double value, double y) {
  if (value <= x.high) return x(std::max(value, x.low));
  svg.text(x.to + 6, y + 4, tick_text(std::round(value)), {.size = 9.5});
  return x.to;
}

void draw_row(Svg& svg, const DumbbellChart& chart, const DumbbellPanel& panel, const Dumbbell& row, const Ruler& x,
              double y) {
  svg.begin("bin", tip(chart, panel, row));
  svg.text(x.from - 9, y + 4, row.label, {.size = 10.5, .anchor = "end"});
  svg.line(x.from, y, x.to, y, {.stroke = chart_faint});
  if (row.published && row.ours) {
    const double a = placed(svg, x, *row.published, y), b = placed(svg, x, *row.ours, y);
    svg.line(a, y, b, y, {.stroke = published_look.colour.light, .width = 2.2});
  }
  if (row.ours) {
    const Style look = palette::series_style(0);
    if (row.error > 0)
      svg.line(x(std::max(*row.ours - row.error, x.low)), y, x(std::min(*row.ours + row.error, x.high)), y,
               {.stroke = look.colour.light, .width = 1});
    draw_mark(svg, placed(svg, x, *row.ours, y), y, look, 4);
  }
  if (row.published) draw_mark(svg, placed(svg, x, *row.published, y), y, published_look, 4.4);
  svg.end();
}

void draw_panel(Svg& svg, const DumbbellChart& chart, const DumbbellPanel& panel, const Frame& frame, Ruler x) {
  x.from = frame.left, x.to = frame.right();
  svg.text(frame.left, frame.top - 8, panel.title, {.size = 12, .bold = true});
  for (const Tick& tick : x.ticks(6)) {
    svg.line(x(tick.at), frame.top, x(tick.at), frame.bottom(), {.stroke = chart_faint});
    svg.line(x(tick.at), frame.bottom(), x(tick.at), frame.bottom() + 4, {.stroke = chart_ink});
    svg.text(x(tick.at), frame.bottom() + 16, tick.label, {.size = 10, .anchor = "middle"});
  }
  if (!x.log && x.low < 0 && x.high > 0)
    svg.line(x(0), frame.top, x(0), frame.bottom(), {.stroke = chart_ink, .width = 1.2, .dash = "4 3"});
  svg.line(frame.left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = chart_ink});
  svg.text(frame.left + frame.width / 2, frame.bottom() + 31, chart.x.title, {.size = 11, .anchor = "middle"});
  double y = frame.top + row_height / 2;
  for (const Dumbbell& row : panel.rows) {
    draw_row(svg, chart, panel, row, x, y);
    y += row_height;
  }
}

Ruler ruler_of(const DumbbellChart& chart) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const DumbbellPanel& panel : chart.panels)
    for (const Dumbbell& row : panel.rows)
      for (const auto& value : {row.published, row.ours})
        if (value) low = std::min(low, *value), high = std::max(high, *value);
  if (!chart.x.log) low = std::min(low, 0.0);
  return ruler(chart.x, low, high);
}

}  // namespace

std::string chart_svg(const DumbbellChart& chart) {
  const auto count = std::max<std::size_t>(chart.panels.size(), 1);
  const auto columns = std::min<std::size_t>(count, static_cast<std::size_t>(std::max(chart.columns, 1)));
  const double labels = label_width(chart), plot = columns == 1 ? 360 : 230, each = labels + plot + dumbbells_gap_x;
  const std::vector<Entry> entries{{chart.published, published_look}, {chart.ours, palette::series_style(0)}};
  std::vector<double> tops;  // of the rows of panels
  double below = dumbbells_heading;
  for (std::size_t i = 0; i < chart.panels.size(); i += columns) {
    tops.push_back(below);
    double tallest = 0;
    for (std::size_t j = i; j < std::min(i + columns, chart.panels.size()); ++j)
      tallest = std::max(tallest, height_of(chart.panels[j]));
    below += tallest + dumbbells_gap_y;
  }
  const double width = std::max(static_cast<double>(columns) * each + 16, title_width(chart.title));
  Svg svg(width, below + legend(nullptr, 0, 0, width - 32, entries, false) + 6, chart.title,
          fmt::format("{}: {} and {}", chart.x.title, chart.published, chart.ours));
  svg.text(14, 20, chart.title, {.size = 13, .bold = true});
  const Ruler x = ruler_of(chart);
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    const DumbbellPanel& panel = chart.panels[i];
    const Frame frame{labels + static_cast<double>(i % columns) * each, tops[i / columns] + panel_heading, plot,
                      row_height * static_cast<double>(panel.rows.size())};
    draw_panel(svg, chart, panel, frame, x);
  }
  legend(&svg, 16, below, width - 32, entries, false);
  return svg.str();
}

}  // namespace tare::detail::render
