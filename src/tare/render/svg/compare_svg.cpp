#include <fmt/format.h>

#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/render/svg/figure.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

struct Line {
  const MethodResult* method;
  const Difference* change;  // null: not fitted, or infinite
};

std::vector<Line> lines_of(const Comparison& c, Criterion criterion) {
  std::vector<Line> out;
  for (const MethodResult& m : c.methods) {
    if (m.method == "uncalibrated") continue;
    out.push_back({&m, difference(m, criterion, "uncalibrated")});
  }
  // What is recommended first, then the best; what has no number last.
  std::stable_sort(out.begin(), out.end(), [&](const Line& a, const Line& b) {
    const auto wins = [&](const Line& l) { return l.method->method == c.winner.method; };
    if (wins(a) || wins(b)) return wins(a) && !wins(b);
    if (!a.change || !b.change) return a.change != nullptr && b.change == nullptr;
    return a.change->value < b.change->value;
  });
  return out;
}

// Full: better. Hollow: noise. A square: worse.
void mark(Svg& svg, double x, double y, Change change) {
  if (change == Change::worse)
    svg.rect({x - 4, y - 4, 8, 8}, {.fill = palette::worse.light, .stroke = dark});
  else
    svg.circle(x, y, 4.5,
               {.fill = change == Change::better ? palette::better.light : palette::ground.light,
                .stroke = dark,
                .width = 1.3});
}

void legend(Svg& svg, double y) {
  mark(svg, 19, y - 4, Change::better);
  svg.text(29, y, "better");
  mark(svg, 94, y - 4, Change::noise);
  svg.text(104, y, "noise: the interval holds 0");
  mark(svg, 284, y - 4, Change::worse);
  svg.text(294, y, "worse");
}

void line(Svg& svg, const Comparison& c, const Line& l, const Frame& frame, const Scale& x, double y) {
  const bool wins = l.method->method == c.winner.method;
  svg.text(frame.left - 8, y + 4, (wins ? "▸ " : "") + l.method->method, {.size = 12, .bold = wins, .anchor = "end"});
  if (!l.change) {
    svg.text(frame.left + 6, y + 4, l.method->reason.empty() ? "n/a: infinite" : "not fitted", {.size = 11});
    return;
  }
  const Difference& d = *l.change;
  const double factor = about(d.criterion).factor;
  svg.begin("bin", fmt::format("{}: {:+.4g}, interval {:+.4g} to {:+.4g}, {}", l.method->method, factor * d.value,
                               factor * d.low, factor * d.high, name(d.change)));
  svg.line(x(d.low), y, x(d.high), y, {.stroke = dark, .width = 1.6});
  for (const double end : {d.low, d.high}) svg.line(x(end), y - 4, x(end), y + 4, {.stroke = dark, .width = 1.6});
  mark(svg, x(d.value), y, d.change);
  svg.end();
}

}  // namespace

Result<std::string> compare_svg(const Comparison& c, const ComparisonPictureOptions& options) {
  const CriterionInfo& criterion = about(options.criterion);
  const auto lines = lines_of(c, options.criterion);
  double low = 0, high = 0;
  for (const Line& l : lines)
    if (l.change) {
      low = std::min(low, l.change->low);
      high = std::max(high, l.change->high);
    }
  if (!(high > low))
    return Error{.code = Errc::undefined,
                 .what = fmt::format("no method has a difference in {}", criterion.axis),
                 .remedy = "draw another criterion"};
  const double top = options.heading ? 78 : 14, row = 24;
  const Frame frame{160, top, 280, row * static_cast<double>(lines.size()) + 6};
  const double pad = 0.04 * (high - low);
  const Scale x{low - pad, high + pad, frame.left, frame.right()};
  const std::string source = source_of(c.test);
  const std::string facts =
      fmt::format("{}: after minus before, {} rows", criterion.axis, grouped(static_cast<double>(c.test.n)));
  Svg svg(figure_width, frame.bottom() + 66, "Calibrators compared: " + source,
          fmt::format("{}. Recommended: {} ({}).", facts, c.winner.method, c.winner.how));
  if (options.heading) {
    svg.text(14, 22, shortened(source, 50), {.size = 14, .bold = true});
    svg.text(14, 41, shortened(facts, 70), {.size = 12});
    svg.text(14, 58,
             fmt::format("▸ {}: recommended by {}, on validation data only", c.winner.method,
                         about(c.winner.criterion).abbreviation),
             {.size = 12});
  }
  const auto ticks = round_ticks(x.low, x.high, criterion.factor, 6);
  svg.grid(frame, x, ticks, {}, {});
  svg.line(x(0), frame.top, x(0), frame.bottom(), {.stroke = dark, .width = 1.5, .dash = "6 4"});
  for (std::size_t i = 0; i < lines.size(); ++i)
    line(svg, c, lines[i], frame, x, top + row * (static_cast<double>(i) + 0.5) + 3);
  svg.x_axis(frame, x, ticks, "change, negative is better");
  legend(svg, frame.bottom() + 54);
  return svg.str();
}

}  // namespace tare::detail::render
