#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/svg/figure.hpp"
#include "tare/render/svg/kinds/curves_svg.hpp"
#include "tare/render/svg/kinds/kind_parts.hpp"
#include "tare/render/svg/marks.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

Look map_look(const CalibratorMap& map, std::size_t i) {
  return map.lines.size() == 1 ? Look{palette::after, MarkShape::disc, palette::solid} : palette::series_look(i);
}

std::string map_name(const CalibratorMap& map, const MapLine& line) {
  if (line.class_index) return "class " + line.name;
  return map.input.reduction == Reduction::positive ? "class 1" : "predicted class";
}

// Where results scatter: the middle 80 of 100.
void draw_scatter(Svg& svg, const MapLine& line, const Scale& x, const Scale& y) {
  std::vector<Point> low, high;
  for (const MapPoint& p : line.curve) {
    low.push_back({x(p.before), y(p.low)});
    high.push_back({x(p.before), y(p.high)});
  }
  area(svg, low, high, palette::band);
}

void draw_map_line(Svg& svg, const CalibratorMap& map, const MapLine& line, const Look& look, const Scale& x,
                   const Scale& y) {
  std::vector<Point> through;
  for (const MapPoint& p : line.curve) through.push_back({x(p.before), y(p.after)});
  if (through.size() > 1) svg.path(through, {.stroke = look.colour.light, .width = 2, .dash = look.dash});
  const std::size_t step = std::max<std::size_t>(1, line.curve.size() / 20);
  for (std::size_t i = 0; i < line.curve.size(); i += step) {
    const MapPoint& p = line.curve[i];
    svg.begin("bin", fmt::format("{}: score {} becomes {} ({} to {} in 80 of 100), {} rows", map_name(map, line),
                                 visible(p.before, 4), visible(p.after, 4), visible(p.low, 4), visible(p.high, 4),
                                 grouped(p.weight)));
    draw_mark(svg, through[i].x, through[i].y, look, 2.6);
    svg.end();
  }
}

// Hit rates of the data, their area by the number of rows.
void draw_rates(Svg& svg, const MapLine& line, const Scale& x, const Scale& y, const Words& say) {
  double most = 0;
  for (const Bin& bin : line.data) most = std::max(most, bin.count);
  for (const Bin& bin : line.data) {
    svg.begin("bin", fmt::format("{} rows, {} {}%, {} {}%", grouped(bin.count), say.mean_score, percent(bin.mean_score),
                                 say.rate, percent(bin.mean_label)));
    svg.circle(x(bin.mean_score), y(bin.mean_label), 2 + 4 * std::sqrt(bin.count / most),
               {.fill = palette::ground.light, .stroke = palette::dim.light, .width = 1.3});
    svg.end();
  }
}

}  // namespace

std::string map_svg(const CalibratorMap& map, bool heading) {
  const Words say = words(map.input.reduction);
  const bool one = map.lines.size() == 1;
  const Frame frame{60, kind_top(heading) + 4, 380, 380};
  const std::string classes =
      !one && map.classes > map.lines.size() ? fmt::format("; the {} largest classes", map.lines.size()) : "";
  const std::string about =
      fitted_words(map.method, map.same_rows ? "these rows" : map.fitted_on, 70 - classes.size()) + classes;
  const double legend_top = frame.bottom() + 46;
  Svg svg(460, legend_top + 18 * static_cast<double>(one ? 3 : map.lines.size()) + 18,
          fmt::format("What {} does: {}", map.method, source_of(map.input)), facts_of(map.input) + ". " + about);
  kind_heading(svg, map.input, about, 460, heading);
  const Scale x{0, 1, frame.left, frame.right()}, y{0, 1, frame.bottom(), frame.top};
  svg.grid(frame, x, percent_ticks(), y, percent_ticks());
  if (one) draw_scatter(svg, map.lines.front(), x, y);
  svg.line(x(0), y(0), x(1), y(1), {.stroke = palette::diagonal.light, .width = 1.4, .dash = palette::dashed});
  if (one) draw_rates(svg, map.lines.front(), x, y, say);
  for (std::size_t i = 0; i < map.lines.size(); ++i) draw_map_line(svg, map, map.lines[i], map_look(map, i), x, y);
  svg.y_axis(frame, y, percent_ticks(), one ? fmt::format("calibrated, and {}, %", say.rate) : "calibrated, %");
  svg.x_axis(frame, x, percent_ticks(), say.score);
  double at = legend_top + 12;
  for (std::size_t i = 0; i < map.lines.size(); ++i, at += 18) {
    draw_sample(svg, 14, at - 4, 30, map_look(map, i));
    svg.text(52, at, one ? "what the calibrator makes of a score" : shortened(map_name(map, map.lines[i]), 40));
  }
  if (!one) return svg.str();
  svg.rect({14, at - 10, 30, 11}, {.fill = palette::band.light});
  svg.text(52, at, "80 of 100 rows with about this score");
  svg.circle(29, at + 14, 4, {.fill = palette::ground.light, .stroke = palette::dim.light, .width = 1.3});
  svg.text(52, at + 18, fmt::format("{} of the data, in bins", say.rate));
  return svg.str();
}

}  // namespace tare::inner::render
