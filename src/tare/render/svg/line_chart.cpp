#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/svg/chart_parts.hpp"

namespace tare::detail::render {
namespace {

constexpr double panel_width = 250, panel_height = 200, lines_gap_x = 72, lines_gap_y = 76, lines_left = 66,
                 lines_heading = 46;

struct AxisRange {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void take(double v) {
    if (!std::isfinite(v)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
};

std::vector<Entry> legend_of(const LineChart& chart) {
  std::vector<std::pair<std::string, std::optional<Style>>> out;
  for (const Panel& panel : chart.panels)
    for (const Series& s : panel.series) out.emplace_back(s.name, s.look);
  return entries_of(out);
}

void panel_axes(Svg& svg, const Frame& frame, const Ruler& x, const Ruler& y, const LineChart& chart) {
  const auto across = x.ticks(6);
  for (const Tick& tick : across) svg.line(x(tick.at), frame.top, x(tick.at), frame.bottom(), {.stroke = chart_faint});
  for (const Tick& tick : y.ticks(7))
    svg.line(frame.left, y(tick.at), frame.right(), y(tick.at), {.stroke = chart_faint});
  svg.line(frame.left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = chart_ink});
  for (const Tick& tick : across) {
    svg.line(x(tick.at), frame.bottom(), x(tick.at), frame.bottom() + 4, {.stroke = chart_ink});
    svg.text(x(tick.at), frame.bottom() + 16, tick.label, {.size = 10.5, .anchor = "middle"});
  }
  svg.text(frame.left + frame.width / 2, frame.bottom() + 32, chart.x.title, {.size = 11.5, .anchor = "middle"});
  y_ruler(svg, frame, y, chart.y.title);
}

// A histogram's bars stand on the axis between the middles of neighbouring centres.
void bars(Svg& svg, const Series& s, const Frame& frame, const Ruler& x, const Ruler& y, const Style& look) {
  const double half = s.x.size() > 1 ? (s.x[1] - s.x[0]) / 2 : 0.5;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    if (s.y[i] <= y.low) continue;
    const double left = x(s.x[i] - half), right = x(s.x[i] + half), top = y(s.y[i]);
    svg.rect({left, top, right - left, frame.bottom() - top},
             {.fill = look.colour.light, .stroke = palette::ground.light, .width = 0.4});
  }
}

bool inside(const Ruler& ruler, double value) {
  const double slack = 1e-9 * (ruler.high - ruler.low);
  return value >= ruler.low - slack && value <= ruler.high + slack;
}

// The path of a line, cut where it leaves the panel at the top or the bottom, and without what lies beside it.
std::string clipped(const Series& s, const Ruler& x, const Ruler& y) {
  std::string out;
  const auto to = [&](bool move, double px, double py) {
    out += fmt::format("{}{:.2f},{:.2f}", move ? " M" : " L", px, py);
  };
  const double top = std::min(y.from, y.to), bottom = std::max(y.from, y.to);
  bool drawing = false;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const double px = x(s.x[i]), py = y(s.y[i]);
    const bool here = inside(x, s.x[i]) && inside(y, s.y[i]);
    if (i > 0 && here != drawing && inside(x, s.x[i]) && inside(x, s.x[i - 1])) {  // crosses an edge
      const double qx = x(s.x[i - 1]), qy = y(s.y[i - 1]), edge = std::clamp(here ? qy : py, top, bottom);
      to(here, qx + (px - qx) * (edge - qy) / (py - qy), edge);
    }
    if (here) to(out.empty() || (!drawing && (i == 0 || !inside(x, s.x[i - 1]))), px, py);
    drawing = here;
  }
  return out.empty() ? "M0,0" : out.substr(1);
}

void lines(Svg& svg, const Series& s, const Ruler& x, const Ruler& y, const Style& look, Draw draw) {
  const bool many = s.x.size() > 25;
  for (std::size_t i = 0; i < s.error.size(); ++i) {
    if (s.error[i] <= 0 || draw == Draw::bars) continue;
    if (!inside(y, s.y[i])) continue;
    const double at = x(s.x[i]), low = y(std::max(s.y[i] - s.error[i], y.low)),
                 high = y(std::min(s.y[i] + s.error[i], y.high));
    svg.bracket(at, low, high, 2.5, {.stroke = look.colour.light, .width = 1});
  }
  if (draw == Draw::lines) svg.path(clipped(s, x, y), {.stroke = look.colour.light, .width = 1.8, .dash = look.dash});
  // along a dense line a marker now and then is enough to recognise it
  const std::size_t step = many && draw == Draw::lines ? s.x.size() / 8 : 1;
  for (std::size_t i = step / 2; i < s.x.size(); i += step)
    if (inside(x, s.x[i]) && inside(y, s.y[i])) draw_mark(svg, x(s.x[i]), y(s.y[i]), look);
}

// What lies outside of the panel is cut off.
void draw_stripe(Svg& svg, const Stripe& band, const Frame& frame, const Ruler& x, const Ruler& y) {
  const Ruler& ruler = band.vertical ? x : y;
  const double a = ruler(std::clamp(band.from, ruler.low, ruler.high)),
               b = ruler(std::clamp(band.to, ruler.low, ruler.high));
  const Pen pen{.fill = palette::chance.light};
  if (band.vertical)
    svg.rect({a, frame.top, b - a, frame.height}, pen);
  else
    svg.rect({frame.left, b, frame.width, a - b}, pen);
  svg.text(band.vertical ? b + 4 : frame.left + 4, band.vertical ? frame.bottom() - 6 : b + 12, band.label,
           {.size = 10});
}

void draw_panel(Svg& svg, const LineChart& chart, const Panel& panel, const Frame& frame, Ruler x, Ruler y,
                const std::vector<Entry>& entries) {
  x.from = frame.left, x.to = frame.right();
  y.from = frame.bottom(), y.to = frame.top;
  svg.text(frame.left + frame.width / 2, frame.top - 8, panel.title, {.size = 12, .bold = true, .anchor = "middle"});
  panel_axes(svg, frame, x, y, chart);
  if (chart.diagonal) {
    const double low = std::max(x.low, y.low), high = std::min(x.high, y.high);
    svg.line(x(low), y(low), x(high), y(high), {.stroke = chart_ink, .width = 1.2, .dash = "4 3"});
  } else if (!y.log && y.low < 0 && y.high > 0) {
    svg.line(frame.left, y(0), frame.right(), y(0), {.stroke = chart_ink, .width = 1.2, .dash = "4 3"});
  }
  for (const Stripe& band : panel.bands) draw_stripe(svg, band, frame, x, y);
  for (const Series& s : panel.series) {
    const Style& look = std::ranges::find_if(entries, [&](const Entry& e) { return e.name == s.name; })->look;
    if (chart.draw == Draw::bars) bars(svg, s, frame, x, y, look);
    if (chart.draw != Draw::bars) lines(svg, s, x, y, look, s.points ? Draw::points : chart.draw);
  }
  double label = frame.top + 12;
  for (const Mark& mark : panel.marks) {
    if (mark.vertical ? mark.at < x.low || mark.at > x.high : mark.at < y.low || mark.at > y.high) continue;
    if (mark.vertical) {
      svg.line(x(mark.at), frame.top, x(mark.at), frame.bottom(), {.stroke = chart_ink, .width = 1.3, .dash = "5 3"});
      const bool left = x(mark.at) > frame.left + frame.width / 2;
      svg.text(x(mark.at) + (left ? -4 : 4), label, mark.label, {.size = 10, .anchor = left ? "end" : "start"});
      label += 13;
    } else {
      svg.line(frame.left, y(mark.at), frame.right(), y(mark.at), {.stroke = chart_ink, .width = 1.3, .dash = "5 3"});
      svg.text(frame.right() - 4, y(mark.at) - 4, mark.label, {.size = 10, .anchor = "end"});
    }
  }
}

}  // namespace

std::string chart_svg(const LineChart& chart) {
  AxisRange across, up;
  for (const Panel& panel : chart.panels)
    for (const Series& s : panel.series)
      for (std::size_t i = 0; i < s.x.size(); ++i) {
        const double error = s.error.empty() ? 0 : s.error[i];
        across.take(s.x[i]);
        up.take(s.y[i] - error);
        up.take(s.y[i] + error);
      }
  if (chart.draw == Draw::bars) up.take(0);
  const auto entries = legend_of(chart);
  const auto count = std::max<std::size_t>(chart.panels.size(), 1);
  const auto columns = std::min<std::size_t>(count, static_cast<std::size_t>(std::max(chart.columns, 1)));
  const double rows = std::ceil(static_cast<double>(count) / static_cast<double>(columns));
  const bool alone = count == 1;
  const double w = alone ? 430 : panel_width, h = alone ? 290 : panel_height;
  const double width = std::max(lines_left + static_cast<double>(columns) * (w + lines_gap_x) - lines_gap_x + 24,
                                title_width(chart.title));
  const double below = lines_heading + rows * (h + lines_gap_y) - lines_gap_y + 44;
  const bool explained = entries.size() > 1;
  const double height = below + (explained ? legend(nullptr, 0, 0, width - 32, entries, false) : 0) + 6;
  Svg svg(width, height, chart.title, fmt::format("{} against {}", chart.y.title, chart.x.title));
  svg.text(14, 20, chart.title, {.size = 13, .bold = true});
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    const Frame frame{lines_left + static_cast<double>(column) * (w + lines_gap_x),
                      lines_heading + static_cast<double>(row) * (h + lines_gap_y), w, h};
    draw_panel(svg, chart, chart.panels[i], frame, ruler(chart.x, across.low, across.high),
               ruler(chart.y, up.low, up.high), entries);
  }
  if (explained) legend(&svg, 16, below, width - 32, entries, false);
  return svg.str();
}

}  // namespace tare::detail::render
