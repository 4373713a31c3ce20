#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/figure.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

constexpr Scale scores{0, 1, 60, 440};

// Heights of bars are compared by eye, and that is fair only among bars of one width.
bool equal_widths(const std::vector<Bin>& bins) {
  const double width = bins.front().upper - bins.front().lower;
  return std::all_of(bins.begin(), bins.end(),
                     [&](const Bin& bin) { return std::abs(bin.upper - bin.lower - width) < 1e-9; });
}

// A vertical line with a white rim, which shows on bars and between them, and its entry in the legend.
void mark(Svg& svg, const Frame& frame, const Measured* m, double legend_x, std::string_view words,
          std::string_view dash) {
  if (!m || !m->estimate) return;
  const double x = scores(m->estimate->value), legend_y = frame.bottom() + 54;
  svg.line(x, frame.top, x, frame.bottom(), {.stroke = palette::ground.light, .width = 3.6});
  svg.line(x, frame.top, x, frame.bottom(), {.stroke = dark, .width = 2, .dash = dash});
  svg.line(legend_x, legend_y - 4, legend_x + 24, legend_y - 4, {.stroke = dark, .width = 2, .dash = dash});
  svg.text(legend_x + 30, legend_y, fmt::format("{} {:.1f}%", words, 100 * m->estimate->value));
}

}  // namespace

Result<std::string> histogram_svg(const Survey& survey, const PictureOptions& options) {
  const auto found = drawn(survey, options);
  if (!found) return found.error();
  const Measured& m = **found;
  const std::vector<Bin>& bins = m.estimate->per_bin;
  if (!equal_widths(bins))
    return Error{.code = Errc::unsupported,
                 .what = "the bins of " + m.name + " are not of equal width, so their bars cannot be compared",
                 .remedy = "draw those of ece_ew"};
  const Frame frame{60, options.heading ? heading_height : no_heading_height, 380, 260};
  const Words say = words(survey.input.reduction);
  Svg svg = figure(survey, m, "Histogram of " + std::string(say.score.substr(0, say.score.size() - 3)),
                   frame.bottom() + 68, options.heading);
  double total = 0, most = 0;
  for (const Bin& bin : bins) {
    total += bin.count;
    most = std::max(most, bin.count);
  }
  const auto ticks = percent_ticks(most / total);
  const Scale up{0, ticks.back().at, frame.bottom(), frame.top};
  svg.grid(frame, scores, percent_ticks(), up, ticks);
  for (const Bin& bin : bins) {
    const double left = scores(bin.lower), width = scores(bin.upper) - left, top = up(bin.count / total);
    svg.begin("bin", fmt::format("{:.4g}% to {:.4g}%: {} rows, {:.1f}%", 100 * bin.lower, 100 * bin.upper,
                                 grouped(bin.count), 100 * bin.count / total));
    svg.rect({left, top, width, frame.bottom() - top},
             {.fill = bar_colour, .stroke = width >= 3 ? dark : "none", .width = 0.7});
    svg.end();
  }
  mark(svg, frame, find(survey, &Roles::mean_label, m.class_index), 60, say.rate, {});
  mark(svg, frame, find(survey, &Roles::mean_score, m.class_index), 235, say.mean_score, "6 4");
  svg.y_axis(frame, up, ticks, survey.input.weighted ? "share of the weight, %" : "share of rows, %");
  svg.x_axis(frame, scores, percent_ticks(), say.score);
  return svg.str();
}

}  // namespace tare::detail::render
