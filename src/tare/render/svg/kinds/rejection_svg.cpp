#include <fmt/format.h>

#include <algorithm>

#include "tare/render/svg/kinds/kind_parts.hpp"
#include "tare/render/svg/kinds/kinds.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

constexpr double rejection_width = 460;
constexpr std::size_t rejection_marks = 50;  // with exact numbers; the curve has more points

std::string rejection_tip(const RejectionPoint& p, bool weighted) {
  return fmt::format("the surest {}%: {} {}, scores from {:.4g}, accuracy {}% ({}% to {}%), claimed {}%",
                     percent(p.share, 1), grouped(p.weight),
                     weighted        ? "of weight"
                     : p.weight == 1 ? "row"
                                     : "rows",
                     p.threshold, percent(p.accuracy), percent(p.low), percent(p.high), percent(p.claimed));
}

void rejection_legend(Svg& svg, double y) {
  svg.line(14, y - 4, 34, y - 4, {.stroke = palette::curve.light, .width = 2});
  svg.text(40, y, "accuracy");
  svg.rect({112, y - 10, 20, 11}, {.fill = palette::band.light});
  svg.text(138, y, "95% interval of each share");
  svg.line(300, y - 4, 320, y - 4, {.stroke = palette::ink.light, .width = 1.6, .dash = palette::dashed});
  svg.text(326, y, "claimed: mean score");
}

}  // namespace

std::string rejection_svg(const RejectionCurve& curve, bool heading) {
  const Frame frame{60, kind_top(heading) + 4, 380, 300};
  const RejectionPoint& all = curve.points.back();
  Svg svg(rejection_width, frame.bottom() + 70, "Accuracy among the most confident rows: " + source_of(curve.input),
          fmt::format("{}. All rows: accuracy {}%, mean score {}%.", facts_of(curve.input), percent(all.accuracy),
                      percent(all.claimed)));
  kind_heading(svg, curve.input,
               fmt::format("all rows: accuracy {}%, claimed {}%", percent(all.accuracy), percent(all.claimed)),
               rejection_width, heading);
  // Intervals of single rows reach far down; the axis begins where those of a twentieth of the rows do.
  double least = 1;
  for (const RejectionPoint& p : curve.points) {
    least = std::min({least, p.accuracy, p.claimed});
    if (p.share >= 0.05) least = std::min(least, p.low);
  }
  const auto up = ticks_of(std::max(0.0, least - 0.04 * (1.02 - least)), 1);
  const double low = std::max(0.0, least - 0.04 * (1.02 - least));
  const Scale x{0, 1, frame.left, frame.right()}, y{low, 1, frame.bottom(), frame.top};
  svg.grid(frame, x, percent_ticks(), y, up);
  std::vector<Point> lows, highs, middle, claims;
  for (const RejectionPoint& p : curve.points) {
    lows.push_back({x(p.share), y(std::max(p.low, low))});
    highs.push_back({x(p.share), y(p.high)});
    middle.push_back({x(p.share), y(p.accuracy)});
    claims.push_back({x(p.share), y(p.claimed)});
  }
  area(svg, lows, highs, palette::band);
  svg.path(claims, {.stroke = palette::ink.light, .width = 1.6, .dash = palette::dashed});
  svg.path(middle, {.stroke = palette::curve.light, .width = 2});
  const std::size_t step = (curve.points.size() + rejection_marks - 1) / rejection_marks;
  for (std::size_t i = curve.points.size() - 1;; i -= std::min(i, step)) {
    svg.begin("bin", rejection_tip(curve.points[i], curve.input.weighted));
    svg.circle(middle[i].x, middle[i].y, 2.6, {.fill = palette::curve.light});
    svg.end();
    if (i == 0) break;
  }
  svg.y_axis(frame, y, up, "accuracy of these rows, %");
  svg.x_axis(frame, x, percent_ticks(),
             curve.input.weighted ? "share of the weight kept, the most confident first, %"
                                  : "share of the rows kept, the most confident first, %");
  rejection_legend(svg, frame.bottom() + 56);
  return svg.str();
}

}  // namespace tare::inner::render
