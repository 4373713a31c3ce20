#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/figure.hpp"

namespace tare::render {
namespace {

constexpr Frame frame{60, heading_height, 380, 380};
constexpr Frame strip{60, heading_height + 390, 380, 48};
constexpr Scale across{0, 1, frame.left, frame.left + frame.width};
constexpr Scale up{0, 1, frame.top + frame.height, frame.top};

// Outlines of bars narrower than this would hide what is inside.
std::string_view outline(double width) { return width >= 3 ? dark : "none"; }

// Solid as far as claim and outcome agree, hatched between them: the hatched part above the heavy line is claimed and
// not kept, the cross-hatched part below it is kept and not claimed.
void bar(Svg& svg, const Bin& bin, const std::string& over, const std::string& under) {
  const double left = across(bin.lower), width = across(bin.upper) - left;
  const double shared = up(std::min(bin.mean_label, bin.mean_score));
  const double top = up(std::max(bin.mean_label, bin.mean_score));
  const std::string_view edge = outline(width);
  svg.rect({left, shared, width, frame.bottom() - shared}, {.fill = bar_colour, .stroke = edge, .width = 0.7});
  if (shared - top > 0.005)
    svg.rect({left, top, width, shared - top},
             {.fill = bin.mean_score > bin.mean_label ? over : under, .stroke = edge, .width = 0.7});
  svg.line(left, up(bin.mean_label), left + width, up(bin.mean_label), {.stroke = dark, .width = 2});
}

// 1, 10, 100, 1k, ..., 1M: short enough to leave room for the title of the axis.
std::string power_of_ten(int power) {
  if (power < 0 || power > 11) return fmt::format("1e{}", power);
  const std::string_view unit[] = {"", "k", "M", "G"};
  return "1" + std::string(static_cast<std::size_t>(power % 3), '0') + std::string(unit[power / 3]);
}

// Logarithmic, because a network's last bin holds almost everything. The axis begins at half a power of ten so that a
// bin of one row can be seen.
void counts(Svg& svg, const std::vector<Bin>& bins, bool weighted) {
  const auto less = [](const Bin& a, const Bin& b) { return a.count < b.count; };
  const auto [fewest, most] = std::minmax_element(bins.begin(), bins.end(), less);
  const double low = std::floor(std::log10(fewest->count) + 1e-12);
  const double high = std::max(std::ceil(std::log10(most->count) - 1e-12), low + 1);
  const Scale y{low - std::log10(2), high, strip.bottom(), strip.top};
  std::vector<Tick> ticks;
  const double step = std::max(1.0, std::ceil((high - low) / 3));  // at most four labels fit
  for (double power = low; power <= high; power += step) {
    ticks.push_back({power, power_of_ten(static_cast<int>(power))});
  }
  svg.grid(strip, across, percent_ticks(), y, ticks);
  for (const Bin& bin : bins) {
    const double left = across(bin.lower), width = across(bin.upper) - left, top = y(std::log10(bin.count));
    svg.rect({left, top, width, strip.bottom() - top}, {.fill = "#999", .stroke = outline(width), .width = 0.7});
  }
  svg.y_axis(strip, y, ticks, weighted ? "weight (log)" : "rows (log)");
}

void legend(Svg& svg, const Words& say, const std::string& over, const std::string& under) {
  const double y = strip.bottom() + 54;
  const auto entry = [&](double x, double base, std::string_view fill, std::string_view meaning) {
    svg.rect({x, base - 10, 14, 11}, {.fill = fill, .stroke = dark, .width = 0.7});
    svg.text(x + 20, base, meaning);
  };
  entry(14, y, bar_colour, say.rate);
  entry(160, y, over, say.over);
  entry(310, y, under, say.under);
  svg.line(14, y + 14, 28, y + 14, {.stroke = dark, .width = 1.5, .dash = "4 3"});
  svg.text(34, y + 18, "perfectly calibrated");
  svg.circle(167, y + 14, 3, {.fill = "#fff", .stroke = dark, .width = 1.2});
  svg.text(180, y + 18, fmt::format("{} at its {}", say.rate, say.mean_score));
}

}  // namespace

Result<std::string> reliability_svg(const Survey& survey, const PictureOptions& options) {
  const auto found = drawn(survey, options);
  if (!found) return found.error();
  const std::vector<Bin>& bins = (*found)->estimate->per_bin;
  const Words say = words(survey.input.reduction);
  Svg svg = figure(survey, **found, "Reliability diagram", strip.bottom() + 84);
  const std::string over = options.id + "-over", under = options.id + "-under";
  const std::string over_fill = "url(#" + over + ")", under_fill = "url(#" + under + ")";
  svg.hatch(over, "#fff", "#b22222", false);
  svg.hatch(under, "#dbe9f6", "#1f4e79", true);

  svg.grid(frame, across, percent_ticks(), up, percent_ticks());
  for (const Bin& bin : bins) bar(svg, bin, over_fill, under_fill);
  svg.line(across(0), up(0), across(1), up(1), {.stroke = "#fff", .width = 3});
  svg.line(across(0), up(0), across(1), up(1), {.stroke = dark, .width = 1.5, .dash = "6 4"});
  for (const Bin& bin : bins)
    svg.circle(across(bin.mean_score), up(bin.mean_label), bins.size() > 60 ? 1.5 : 3,
               {.fill = "#fff", .stroke = dark, .width = 1.2});
  svg.line(frame.left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = dark});
  svg.y_axis(frame, up, percent_ticks(), std::string(say.rate) + ", %");
  counts(svg, bins, survey.input.weighted);
  svg.x_axis(strip, across, percent_ticks(), say.score);
  legend(svg, say, over_fill, under_fill);
  return svg.str();
}

}  // namespace tare::render
