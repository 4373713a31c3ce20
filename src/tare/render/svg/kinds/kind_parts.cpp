#include "tare/render/svg/kinds/kind_parts.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::inner::render {

std::string source_of(const InputInfo& input) { return input.source.empty() ? "predictions" : input.source; }

std::string facts_of(const InputInfo& input) {
  std::string out = "n = " + grouped(static_cast<double>(input.n));
  if (input.weighted) out += ", total weight " + grouped(input.total_weight);
  if (input.k > 0) out += fmt::format(" · K = {}", input.k);
  return out + fmt::format(" · {}", name(input.reduction));
}

std::string fitted_words(std::string_view method, std::string_view on, std::size_t columns) {
  const std::string head = std::string(method) + ", fitted on ";
  return head + shortened(on, std::max(columns, head.size() + 12) - head.size());
}

double kind_heading(Svg& svg, const InputInfo& input, std::string_view about, double width, bool shown) {
  if (!shown) return kind_no_heading_height;
  const auto columns = static_cast<std::size_t>(width / 8.2);
  svg.text(14, 22, shortened(source_of(input), columns), {.size = 14, .bold = true});
  svg.text(14, 40, facts_of(input), {.size = 12});
  svg.text(14, 57, about, {.size = 12});
  return kind_heading_height;
}

void area(Svg& svg, const std::vector<Point>& low, const std::vector<Point>& high, const Colour& colour) {
  if (low.empty()) return;
  std::vector<Point> around = low;
  around.insert(around.end(), high.rbegin(), high.rend());
  svg.path(around, {.fill = colour.light});
}

std::vector<Tick> ticks_of(double low, double high, int most) { return round_ticks(low, high, 100, most); }

Ruler log_ruler(double low, double high, double from, double to) {
  return {.log = true, .low = low, .high = high > low ? high : 2 * low, .from = from, .to = to};
}

void log_x_axis(Svg& svg, const Frame& frame, const Ruler& x, std::string_view title) {
  svg.line(frame.left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = palette::ink.light});
  double last = frame.left - 100;
  for (const Tick& tick : x.ticks(6)) {
    svg.line(x(tick.at), frame.bottom(), x(tick.at), frame.bottom() + 4, {.stroke = palette::ink.light});
    const double half = 3.6 * static_cast<double>(tick.label.size()), room = half + 5;
    const double at = std::min(x(tick.at), frame.right() + 16 - half);  // the last label stays in the picture
    if (at - room < last) continue;                                     // labels may not touch
    svg.text(at, frame.bottom() + 16, tick.label, {.anchor = "middle"});
    last = at + room;
  }
  svg.text(frame.left + frame.width / 2, frame.bottom() + 33, title, {.size = 12, .anchor = "middle"});
}

}  // namespace tare::inner::render
