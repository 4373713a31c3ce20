#include "tare/render/svg/small_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tare/core/palette.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

constexpr double side = 130, left_margin = 30, bottom_margin = 22;
constexpr std::string_view dark = palette::ink.light;

const std::vector<Tick>& ticks() {
  static const std::vector<Tick> out{{0, "0"}, {0.5, "50"}, {1, "100"}};
  return out;
}

void draw(Svg& svg, const std::vector<Bin>& bins, double left, double top, std::string_view patterns) {
  const Frame frame{left, top, side, side};
  const Scale across{0, 1, left, left + side}, up{0, 1, top + side, top};
  const std::string over = "url(#" + std::string(patterns) + "-over)",
                    under = "url(#" + std::string(patterns) + "-under)";
  svg.grid(frame, across, ticks(), up, ticks());
  for (const Bin& bin : bins) {
    const double x = across(bin.lower), width = across(bin.upper) - x;
    const double shared = up(std::min(bin.mean_label, bin.mean_score)),
                 high = up(std::max(bin.mean_label, bin.mean_score));
    svg.begin("bin", fmt::format("{:.4g}% to {:.4g}%: {} rows, mean probability {:.1f}%, observed rate {:.1f}%",
                                 100 * bin.lower, 100 * bin.upper, grouped(bin.count), 100 * bin.mean_score,
                                 100 * bin.mean_label));
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

}  // namespace

std::string small_reliability_svg(const std::vector<Bin>& bins, const SmallPicture& options) {
  Svg svg(left_margin + side + 4, side + bottom_margin, options.title, options.description);
  draw(svg, bins, left_margin, 4, options.patterns);
  return svg.str();
}

}  // namespace tare::inner::render
