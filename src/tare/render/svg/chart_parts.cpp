#include "tare/render/svg/chart_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tare::detail::render {
namespace {

double step_for(double span, int most) {
  const double decade = std::pow(10, std::floor(std::log10(span / most)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (span / (factor * decade) <= most) return factor * decade;
  return 10 * decade;
}

}  // namespace

std::vector<Entry> entries_of(const std::vector<std::pair<std::string, std::optional<Style>>>& series) {
  std::vector<Entry> out;
  std::size_t others = 0;
  for (const auto& [name, look] : series) {
    if (std::ranges::any_of(out, [&name = name](const Entry& e) { return e.name == name; })) continue;
    out.push_back({.name = name, .look = look ? *look : palette::series_style(others++)});
  }
  return out;
}

double Ruler::operator()(double value) const {
  if (!log) return from + (value - low) / (high - low) * (to - from);
  return from + std::log(std::max(value, low) / low) / std::log(high / low) * (to - from);
}

double title_width(std::string_view title) { return 7.6 * static_cast<double>(title.size()) + 30; }

std::string tick_text(double value) {
  if (value != 0 && (std::abs(value) < 1e-3 || std::abs(value) >= 1e7)) return fmt::format("{:.0e}", value);
  const std::string plain = fmt::format("{:g}", std::abs(value) < 1e-12 ? 0 : value);
  if (std::abs(value) < 10000) return plain;
  const std::string digits = fmt::format("{:.0f}", value);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && digits[i - 1] != '-' && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::vector<Tick> Ruler::ticks(int most) const {
  std::vector<Tick> out;
  if (!log) {
    const double step = step_for(high - low, most);
    for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i)
      out.push_back({i * step, tick_text(i * step)});
    return out;
  }
  const double decades = std::log10(high / low);
  std::vector<double> leads{1};
  if (decades < 2.5) leads = {1, 2, 5};
  if (decades < 0.7) leads = {1, 2, 3, 4, 5, 6, 8};
  const double every = std::ceil(decades / most);
  for (double power = std::floor(std::log10(low)); power <= std::ceil(std::log10(high)); power += every)
    for (const double lead : leads) {
      const double at = lead * std::pow(10, power);
      if (at >= low * (1 - 1e-9) && at <= high * (1 + 1e-9)) out.push_back({at, tick_text(at)});
    }
  return out;
}

Ruler ruler(const Axis& axis, double low, double high) {
  Ruler out{.log = axis.log};
  if (!(low <= high)) low = 0, high = 1;  // nothing to show
  if (axis.log) {
    if (!(high > 0)) high = 1;
    if (!(low > 0)) low = high / 1000;  // a logarithmic axis has no place for 0: what is there stands at its end
    out.low = axis.low.value_or(low / 1.08);
    out.high = axis.high.value_or(high * 1.08);
  } else {
    if (low == high) low -= 0.5, high += 0.5;
    const double step = step_for(high - low, 6);
    out.low = axis.low.value_or(std::floor(low / step + 1e-9) * step);
    out.high = axis.high.value_or(std::ceil(high / step - 1e-9) * step);
  }
  if (!(out.high > out.low)) out.high = out.low + 1;
  return out;
}

void y_ruler(Svg& svg, const Frame& frame, const Ruler& y, std::string_view title) {
  svg.line(frame.left, frame.top, frame.left, frame.bottom(), {.stroke = chart_ink});
  for (const Tick& tick : y.ticks(7)) {
    svg.line(frame.left - 4, y(tick.at), frame.left, y(tick.at), {.stroke = chart_ink});
    svg.text(frame.left - 7, y(tick.at) + 4, tick.label, {.size = 10.5, .anchor = "end"});
  }
  svg.text(frame.left - 42, frame.top + frame.height / 2, title, {.size = 11.5, .anchor = "middle", .upwards = true});
}

double legend(Svg* svg, double left, double top, double width, const std::vector<Entry>& entries, bool boxes) {
  constexpr double line_height = 18, sample = 30;
  double x = left, y = top + 12;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double taken = sample + 16 + 6.2 * static_cast<double>(entries[i].name.size());
    if (x > left && x + taken > left + width) {
      x = left;
      y += line_height;
    }
    if (svg) {
      const Style& look = entries[i].look;
      if (boxes)
        svg->rect({x + 8, y - 10, 14, 11}, {.fill = entries[i].fill, .stroke = chart_ink, .width = 0.7});
      else
        draw_sample(*svg, x, y - 4, sample - 4, look);
      svg->text(x + sample + 2, y, entries[i].name, {.size = 11});
    }
    x += taken;
  }
  return y - top + 8;
}

}  // namespace tare::detail::render
