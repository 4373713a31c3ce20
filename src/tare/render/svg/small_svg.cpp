#include "tare/render/svg/small_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tare/core/palette.hpp"
#include "tare/render/svg/curve_marks.hpp"
#include "tare/render/svg/figure.hpp"
#include "tare/render/svg/score_axis.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

constexpr double side = 130, left_margin = 30, bottom_margin = 22;

constexpr std::size_t most_small_marks = 24;

const std::vector<Tick>& ticks() {
  static const std::vector<Tick> out{{0, "0"}, {0.5, "50"}, {1, "100"}};
  return out;
}

void draw(Svg& svg, const std::vector<Bin>& bins, double left, double top, const SmallPicture& options) {
  const Words say = words(options.reduction);
  const std::string patterns(options.patterns);
  const Frame frame{left, top, side, side};
  const Scale across{0, 1, left, left + side}, up{0, 1, top + side, top};
  const std::string over = "url(#" + patterns + "-over)", under = "url(#" + patterns + "-under)";
  svg.grid(frame, across, ticks(), up, ticks());
  for (const Bin& bin : bins) {
    const double x = across(bin.lower), width = across(bin.upper) - x;
    const double shared = up(std::min(bin.mean_label, bin.mean_score)),
                 high = up(std::max(bin.mean_label, bin.mean_score));
    svg.begin("bin",
              fmt::format("{:.4g}% to {:.4g}%: {} rows, {} {:.1f}%, {} {:.1f}%", 100 * bin.lower, 100 * bin.upper,
                          grouped(bin.count), say.mean_score, 100 * bin.mean_score, say.rate, 100 * bin.mean_label));
    if (frame.bottom() - shared > 0.05)
      svg.rect({x, shared, width, frame.bottom() - shared}, {.fill = palette::bar.light});
    if (shared - high > 0.05)
      svg.rect({x, high, width, shared - high}, {.fill = bin.mean_score > bin.mean_label ? over : under});
    svg.line(x, up(bin.mean_label), x + width, up(bin.mean_label), {.stroke = dark, .width = 1.5});
    svg.end();
  }
  svg.line(across(0), up(0), across(1), up(1), {.stroke = dark, .dash = "4 3"});
  svg.line(left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = dark});
  svg.line(left, top, left, frame.bottom(), {.stroke = dark});
  for (const Tick& tick : ticks()) {
    const std::string_view anchor = tick.at == 1 ? "end" : "middle";
    svg.text(across(tick.at), frame.bottom() + 13, tick.label, {.size = 10, .anchor = anchor});
    svg.text(left - 4, up(tick.at) + (tick.at == 1 ? 8 : 3), tick.label, {.size = 10, .anchor = "end"});
  }
}

std::vector<Tick> in_pixels(double from, double to) {
  std::vector<Tick> out;
  for (const Tick& tick : ticks()) out.push_back({from + tick.at * (to - from), tick.label});
  return out;
}

void add_small_tips(Svg& svg, const ScoreAxes& axes, const CurveBand& curve, const Words& say) {
  const std::size_t step = (curve.cells.size() + most_small_marks - 1) / most_small_marks;
  for (std::size_t i = step / 2; i < curve.cells.size(); i += step) {
    const CurveCell& c = curve.cells[i];
    std::string tip =
        fmt::format("{} {:.4g}%: {} {:.1f}%", say.mean_score, 100 * c.mean_score, say.rate, 100 * c.curve);
    if (curve.basis != BandBasis::none) {
      const BandPiece band = band_at(curve, c.mean_score);
      tip += fmt::format("; band {:.1f}% to {:.1f}%", 100 * band.low, 100 * band.high);
    }
    svg.begin("at", tip);
    svg.circle(axes.x(c.mean_score), axes.y(c.curve), 1.5, {});
    svg.end();
  }
}

}  // namespace

std::string small_curve_svg(const CurveBand& curve, const std::vector<const CurveBand*>& all,
                            const SmallPicture& options) {
  const bool linear = suited_axis(all) == AxisKind::linear;
  const double left = linear ? left_margin : left_margin + 10;
  const Frame frame{left, 4, side, side};
  const ScoreAxes axes(all, linear ? AxisKind::linear : AxisKind::logit, frame);
  const auto across = linear ? in_pixels(left, left + side) : axes.x_ticks();
  const auto up = linear ? in_pixels(frame.bottom(), frame.top) : axes.y_ticks();
  const Scale pixels{0, 1, 0, 1};
  const CurvePens pens{.line = palette::curve.light, .band = palette::band.light};
  Svg svg(left + side + 4, side + bottom_margin, options.title, options.description);
  svg.grid(frame, pixels, across, pixels, up);
  draw_band(svg, axes, curve, pens);
  svg.path(axes.diagonal(), {.stroke = palette::diagonal.light, .width = 1, .dash = "4 3"});
  draw_curve(svg, axes, curve, pens);
  add_small_tips(svg, axes, curve, words(options.reduction));
  svg.line(left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = dark});
  svg.line(left, frame.top, left, frame.bottom(), {.stroke = dark});
  for (const Tick& tick : across)
    svg.text(tick.at, frame.bottom() + 13, tick.label,
             {.size = 10, .anchor = tick.at > frame.right() - 8 ? "end" : "middle"});
  for (const Tick& tick : up)
    svg.text(left - 4, tick.at + (tick.at < frame.top + 6 ? 8 : 3), tick.label, {.size = 10, .anchor = "end"});
  return svg.str();
}

std::string small_curves_words(const std::vector<const CurveBand*>& all) {
  return std::string("Each band holds the whole true curve in at least 95 of 100 samples, if that curve never falls.") +
         (suited_axis(all) == AxisKind::linear ? "" : " Both axes are by logit, in percent.");
}

std::string small_reliability_svg(const std::vector<Bin>& bins, const SmallPicture& options) {
  Svg svg(left_margin + side + 4, side + bottom_margin, options.title, options.description);
  draw(svg, bins, left_margin, 4, options);
  return svg.str();
}

}  // namespace tare::detail::render
