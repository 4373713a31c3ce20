#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/svg/kinds/kind_parts.hpp"
#include "tare/render/svg/kinds/kinds.hpp"
#include "tare/render/svg/marks.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

constexpr double detectable_width = 460;
constexpr Look detectable_look{palette::curve, MarkShape::disc, palette::solid};

std::string detectable_tip(const DetectablePoint& p) {
  return fmt::format("n = {}: an error of {}% or more is found in {:.3g} of 100 samples", grouped(p.n),
                     percent(*p.smallest.tce), 100 * p.smallest.power);
}

// The estimated error of the data, with its interval, across the frame.
void estimate_line(Svg& svg, const Frame& frame, const Ruler& y, const ErrorRange& e) {
  if (!e.value || !(*e.value > y.low)) return;
  const double low = y(std::clamp(e.low.value_or(*e.value), y.low, y.high)),
               high = y(std::clamp(e.high.value_or(*e.value), y.low, y.high)), at = y(std::min(*e.value, y.high));
  std::string tip = fmt::format("estimated error of these data ({}): {}%", e.estimator, percent(*e.value));
  if (e.low && e.high) tip += fmt::format(", interval {}% to {}%", percent(*e.low), percent(*e.high));
  svg.begin("bin", tip);
  svg.rect({frame.left, high, frame.width, low - high}, {.fill = palette::chance.light});
  svg.line(frame.left, at, frame.right(), at, {.stroke = palette::ink.light, .width = 1.4, .dash = palette::dashed});
  svg.end();
}

std::string detectable_about(const DetectableCurve& curve) {
  const auto here = std::find_if(curve.points.begin(), curve.points.end(), [](const auto& p) { return p.here; });
  if (here == curve.points.end() || !here->smallest.tce) return "at this n no error of these paths is found";
  std::string out = fmt::format("this n finds an error of {}% or more", percent(*here->smallest.tce));
  if (curve.estimate.value && curve.needed && *curve.needed > here->n * 1.05)
    out += fmt::format("; one of {}%, as estimated, takes about {} rows", percent(*curve.estimate.value),
                       grouped(std::pow(10, std::floor(std::log10(*curve.needed)) - 1) *
                               std::ceil(*curve.needed / std::pow(10, std::floor(std::log10(*curve.needed)) - 1))));
  return out;
}

}  // namespace

Result<std::string> detectable_svg(const DetectableCurve& curve, bool heading) {
  std::vector<const DetectablePoint*> known;
  for (const DetectablePoint& p : curve.points)
    if (p.smallest.tce && *p.smallest.tce > 0) known.push_back(&p);
  if (known.empty())
    return Error{.code = Errc::undefined,
                 .what = "no error would be found at any of these sizes" +
                         (curve.points.empty() ? std::string() : ": " + curve.points.front().smallest.reason),
                 .remedy = "pass larger sizes"};
  double low = HUGE_VAL, high = 0, first = HUGE_VAL, last = 0;
  for (const DetectablePoint& p : curve.points) first = std::min(first, p.n), last = std::max(last, p.n);
  for (const DetectablePoint* p : known) low = std::min(low, *p->smallest.tce), high = std::max(high, *p->smallest.tce);
  if (const auto& estimate = curve.estimate.value; estimate && *estimate > 0) {  // in sight, too
    low = std::min(low, *estimate);
    high = std::max(high, *estimate);
  }
  const Frame frame{60, kind_top(heading) + 4, 380, 290};
  const Ruler x = log_ruler(first / 1.15, last * 1.15, frame.left, frame.right());
  Ruler y = log_ruler(100 * low / 1.3, std::min(100.0, 100 * high * 1.3), frame.bottom(), frame.top);
  const auto up = [&](double fraction) { return y(100 * fraction); };
  const Detectable& any = known.front()->smallest;
  Svg svg(detectable_width, frame.bottom() + 88, "Smallest error that is found: " + source_of(curve.input),
          facts_of(curve.input) + ". " + detectable_about(curve) + ".");
  kind_heading(svg, curve.input, shortened(detectable_about(curve), 74), detectable_width, heading);
  for (const Tick& tick : x.ticks(6))
    svg.line(x(tick.at), frame.top, x(tick.at), frame.bottom(), {.stroke = palette::grid.light});
  for (const Tick& tick : y.ticks(6)) {
    svg.line(frame.left, y(tick.at), frame.right(), y(tick.at), {.stroke = palette::grid.light});
    svg.text(frame.left - 7, y(tick.at) + 4, tick.label, {.anchor = "end"});
  }
  Ruler fractions = y;
  fractions.low /= 100;
  fractions.high /= 100;
  estimate_line(svg, frame, fractions, curve.estimate);
  std::vector<Point> line;
  for (const DetectablePoint* p : known) line.push_back({x(p->n), up(*p->smallest.tce)});
  svg.path(line, {.stroke = palette::curve.light, .width = 2});
  for (const DetectablePoint* p : known) {
    svg.begin("bin", detectable_tip(*p));
    if (p->here) {
      svg.line(x(p->n), frame.top, x(p->n), frame.bottom(), {.stroke = palette::ink.light, .dash = palette::dotted});
      svg.circle(x(p->n), up(*p->smallest.tce), 6.5,
                 {.fill = palette::ground.light, .stroke = palette::ink.light, .width = 2});
      svg.circle(x(p->n), up(*p->smallest.tce), 3, {.fill = palette::ink.light});
    } else {
      draw_mark(svg, x(p->n), up(*p->smallest.tce), detectable_look);
    }
    svg.end();
    if (!p->here) continue;
    const bool left = x(p->n) > frame.left + 0.6 * frame.width;
    svg.text(x(p->n) + (left ? -10 : 10), up(*p->smallest.tce) - 10,
             fmt::format("you are here: {}%", percent(*p->smallest.tce)),
             {.bold = true, .anchor = left ? "end" : "start"});
  }
  svg.line(frame.left, frame.top, frame.left, frame.bottom(), {.stroke = palette::ink.light});
  svg.text(16, frame.top + frame.height / 2, "true error (norm 2), % (log)",
           {.size = 12, .anchor = "middle", .upwards = true});
  log_x_axis(svg, frame, x, "n (log)");
  const double y0 = frame.bottom() + 56;
  draw_sample(svg, 14, y0 - 4, 24, detectable_look);
  svg.text(44, y0,
           fmt::format("smallest error that {} finds: power {:g}%, level {:g}%", any.statistic, 100 * any.power,
                       100 * any.alpha));
  if (curve.estimate.value) {
    svg.rect({14, y0 + 8, 24, 11}, {.fill = palette::chance.light});
    svg.line(14, y0 + 13.5, 38, y0 + 13.5, {.stroke = palette::ink.light, .width = 1.4, .dash = palette::dashed});
    svg.text(44, y0 + 18,
             fmt::format("estimated error of these data: {}%{}", percent(*curve.estimate.value),
                         curve.estimate.low && curve.estimate.high
                             ? fmt::format(" ({}% to {}%)", percent(*curve.estimate.low), percent(*curve.estimate.high))
                             : std::string()));
  }
  return svg.str();
}

}  // namespace tare::inner::render
