#include <fmt/format.h>

#include <algorithm>

#include "tare/core/looks.hpp"
#include "tare/render/svg/kinds/kind_parts.hpp"
#include "tare/render/svg/kinds/kinds.hpp"
#include "tare/render/svg/marks.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

constexpr double bins_width = 460;
using BinPoints = std::vector<BinChoicePoint> BinChoiceLine::*;

std::string bin_point_tip(const BinChoiceLine& line, const BinChoicePoint& p, bool by_bins) {
  std::string out = fmt::format("{}, {} {}: {}%", line.about.name, grouped(p.at),
                                by_bins ? (p.at == 1 ? "bin" : "bins") : "rows", percent(p.value));
  if (p.sd) out += fmt::format(" on average over parts of the rows, sd {}", percent(*p.sd));
  if (p.floor && p.floor_high)
    out += fmt::format("; by chance {}%, up to {}%", percent(*p.floor), percent(*p.floor_high));
  return out;
}

void draw_bin_line(Svg& svg, const BinChoiceLine& line, BinPoints points, const Ruler& x, const Scale& y) {
  const Look& look = look_of(line.about.name);
  std::vector<Point> values, chance;
  for (const BinChoicePoint& p : line.*points) {
    values.push_back({x(p.at), y(p.value)});
    if (p.floor) chance.push_back({x(p.at), y(*p.floor)});
  }
  if (chance.size() > 1) svg.path(chance, {.stroke = look.colour.light, .width = 1.3, .dash = palette::dotted});
  svg.path(values, {.stroke = look.colour.light, .width = 2});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const BinChoicePoint& p = (line.*points)[i];
    svg.begin("bin", bin_point_tip(line, p, points == &BinChoiceLine::by_bins));
    if (p.sd)
      svg.line(values[i].x, y(std::max(0.0, p.value - *p.sd)), values[i].x, y(std::min(p.value + *p.sd, y.high)),
               {.stroke = look.colour.light, .width = 1});
    draw_mark(svg, values[i].x, values[i].y, look, 3);
    svg.end();
  }
}

void bins_panel_of(Svg& svg, const BinChoice& choice, BinPoints points, const Frame& frame, double high,
                   std::string_view title, double mark) {
  double first = mark, last = mark;
  for (const BinChoiceLine& line : choice.lines)
    for (const BinChoicePoint& p : line.*points) first = std::min(first, p.at), last = std::max(last, p.at);
  const Ruler x = log_ruler(first / 1.15, last * 1.15, frame.left, frame.right());
  const Scale y{0, high, frame.bottom(), frame.top};
  const auto up = ticks_of(0, high);
  for (const Tick& tick : x.ticks(6))
    svg.line(x(tick.at), frame.top, x(tick.at), frame.bottom(), {.stroke = palette::grid.light});
  svg.grid(frame, {}, {}, y, up);
  svg.line(x(mark), frame.top, x(mark), frame.bottom(), {.stroke = palette::ink.light, .dash = palette::dotted});
  for (const BinChoiceLine& line : choice.lines) draw_bin_line(svg, line, points, x, y);
  svg.line(frame.left, frame.top, frame.left, frame.bottom(), {.stroke = palette::ink.light});
  for (const Tick& tick : up) svg.text(frame.left - 7, y(tick.at) + 4, tick.label, {.anchor = "end"});
  log_x_axis(svg, frame, x, title);
}

}  // namespace

std::string bins_svg(const BinChoice& choice, bool heading) {
  double high = 0.001;
  for (const BinChoiceLine& line : choice.lines)
    for (const BinPoints points : {&BinChoiceLine::by_bins, &BinChoiceLine::by_rows})
      for (const BinChoicePoint& p : line.*points)
        high = std::max({high, p.value + p.sd.value_or(0), p.floor.value_or(0)});
  high *= 1.05;
  const Frame upper{60, kind_top(heading) + 16, 380, 200}, lower{60, upper.bottom() + 72, 380, 200};
  const bool parts = !choice.lines.empty() && choice.lines.front().by_rows.size() > 1;
  const double bottom = parts ? lower.bottom() : upper.bottom();
  Svg svg(bins_width, bottom + 84, "Errors against the number of bins: " + source_of(choice.input),
          facts_of(choice.input) + ". Binned errors for several numbers of bins and of rows, beside chance.");
  const std::string norm =
      choice.lines.empty() || !choice.lines.front().norm ? "" : fmt::format(", norm {}", *choice.lines.front().norm);
  kind_heading(svg, choice.input, "the same data: the error depends on bins and rows" + norm, bins_width, heading);
  svg.text(upper.left, upper.top - 6, "all rows, other bins", {.bold = true});
  bins_panel_of(svg, choice, &BinChoiceLine::by_bins, upper, high, "number of bins (log)", choice.bins);
  const auto rates = [&](const Frame& frame) {
    svg.text(16, frame.top + frame.height / 2, "error, %", {.size = 12, .anchor = "middle", .upwards = true});
  };
  rates(upper);
  if (parts) {
    rates(lower);
    svg.text(lower.left, lower.top - 6, fmt::format("{} bins, parts of the rows", choice.bins), {.bold = true});
    bins_panel_of(svg, choice, &BinChoiceLine::by_rows, lower, high, "number of rows (log)",
                  choice.lines.front().by_rows.back().at);
  }
  double at = 14;
  const double y = bottom + 58;
  for (const BinChoiceLine& line : choice.lines) {
    svg.line(at, y - 4, at + 26, y - 4, {.stroke = look_of(line.about.name).colour.light, .width = 2});
    draw_mark(svg, at + 13, y - 4, look_of(line.about.name), 3);
    svg.text(at + 32, y, line.about.name);
    at += 44 + 6.4 * static_cast<double>(line.about.name.size());
  }
  svg.line(14, y + 14, 40, y + 14, {.stroke = palette::dim.light, .width = 1.3, .dash = palette::dotted});
  svg.text(46, y + 18, "chance: a calibrated model, on average");
  return svg.str();
}

}  // namespace tare::inner::render
