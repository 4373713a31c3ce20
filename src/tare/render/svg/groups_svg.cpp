#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/figure.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

constexpr std::size_t most_drawn = 40;
constexpr std::string_view found_colour = palette::found.light;

// Full: found. Hollow: not. The small bar is the shrunken gap.
void group_mark(Svg& svg, const GroupReport& report, const GroupLine& line, const Scale& x, double y) {
  const bool found = report.found(line);
  const std::string_view ink = found ? found_colour : dark;
  svg.begin("bin",
            fmt::format("{}: {} rows, confidence {}%, accuracy {}%, gap {} points ({} to {}), adjusted p {}",
                        group_name(report, line), grouped(static_cast<double>(line.rows)), percent(line.confidence, 1),
                        percent(line.accuracy, 1), signed_percent(line.gap.value), signed_percent(*line.gap.low),
                        signed_percent(*line.gap.high), exact_p(std::log(line.bh))));
  svg.line(x(*line.gap.low), y, x(*line.gap.high), y, {.stroke = ink, .width = 1.4});
  svg.line(x(line.shrunken_gap), y - 5, x(line.shrunken_gap), y + 5, {.stroke = ink, .width = 2.4});
  svg.circle(x(line.gap.value), y, 4,
             {.fill = found ? found_colour : palette::ground.light, .stroke = ink, .width = 1.3});
  svg.end();
}

void group_legend(Svg& svg, double y) {
  svg.circle(19, y - 4, 4, {.fill = found_colour, .stroke = found_colour});
  svg.text(29, y, "found");
  svg.circle(84, y - 4, 4, {.fill = palette::ground.light, .stroke = dark, .width = 1.3});
  svg.text(94, y, "not found");
  svg.line(169, y - 9, 169, y + 1, {.stroke = dark, .width = 2.4});
  svg.text(177, y, "shrunken gap");
  svg.line(269, y - 4, 289, y - 4, {.stroke = dark, .width = 1.4});
  svg.text(295, y, "95% interval");
}

}  // namespace

std::string groups_svg(const GroupReport& report, bool heading) {
  const std::size_t shown = std::min(report.lines.size(), most_drawn);
  double furthest = 0.01;
  std::size_t longest = 4;
  for (std::size_t i = 0; i < shown; ++i) {
    const GroupLine& line = report.lines[i];
    furthest = std::max({furthest, std::abs(*line.gap.low), std::abs(*line.gap.high)});
    longest = std::max(longest, display_width(group_name(report, line)));
  }
  const double step = 20, top = heading ? 66 : 40, label = std::clamp(6.8 * static_cast<double>(longest), 60.0, 190.0);
  const Frame frame{label + 14, top, 460 - label - 14 - 56, step * static_cast<double>(shown) + 8};
  Svg svg(460, frame.bottom() + 44, "gaps of groups", group_sentences(report).front());
  if (heading) {
    svg.text(14, 22, shortened(report.input.source, 50), {.size = 14, .bold = true});
    svg.text(14, 40,
             shown < report.lines.size()
                 ? fmt::format("{} of {} groups, the strongest evidence first", shown, report.lines.size())
                 : "the strongest evidence first");
  }
  group_legend(svg, heading ? 58 : 24);
  furthest *= 1.04;  // intervals end inside the frame
  const Scale x{-furthest, furthest, frame.left, frame.right()};
  std::vector<Tick> ticks;
  for (Tick tick : round_ticks(-furthest, furthest, 100, 4)) ticks.push_back(std::move(tick));
  svg.grid(frame, x, ticks, {0, 1, frame.bottom(), frame.top}, {});
  svg.line(x(0), frame.top, x(0), frame.bottom(), {.stroke = dark, .width = 1});
  for (std::size_t i = 0; i < shown; ++i) {
    const GroupLine& line = report.lines[i];
    const double y = frame.top + step * (static_cast<double>(i) + 0.5) + 4;
    svg.text(frame.left - 8, y + 4, shortened(group_name(report, line), 28), {.anchor = "end"});
    group_mark(svg, report, line, x, y);
    svg.text(frame.right() + 8, y + 4, grouped(static_cast<double>(line.rows)));
  }
  svg.text(frame.right() + 8, frame.top - 4, "rows");
  svg.x_axis(frame, x, ticks, gap_words(report) + ", in points");
  return svg.str();
}

}  // namespace tare::detail::render
