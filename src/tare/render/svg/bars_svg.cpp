#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

struct Layout {
  Frame frame, strip;  // the diagram, and the counts below it
  Scale across, up;
  explicit Layout(double top)
      : frame{60, top, 380, 380}, strip{60, top + 390, 380, 48}, across{0, 1, 60, 440}, up{0, 1, frame.bottom(), top} {}
};

constexpr std::string_view curve_colour = palette::isotonic.light, white = palette::ground.light;

// Outlines of bars narrower than this would hide what is inside.
std::string_view outline(double width) { return width >= 3 ? dark : "none"; }

// A bin of few rows is pale: at 100 rows a bar has its full colour.
double weight_of(const Bin& bin) { return std::clamp(std::sqrt(bin.count / 100), 0.25, 1.0); }

// Bars stand where the rows of their bin are, not where the bin could have some.
struct BarWidth {
  double left = 0, width = 0;
};
BarWidth where_rows_are(const Layout& at, const Bin& bin, const CurveBand* curve) {
  constexpr double least = 2;
  double from = bin.lower, to = bin.upper;
  if (curve) {
    double first = to, last = from;
    for (const CurveCell& c : curve->cells) {
      if (c.last <= bin.lower && !(c.last == 0 && bin.lower == 0)) continue;
      if (c.first > bin.upper) break;
      first = std::min(first, std::max(c.first, bin.lower));
      last = std::max(last, std::min(c.last, bin.upper));
    }
    if (first <= last) from = first, to = last;
  }
  const double left = at.across(from), width = at.across(to) - left;
  if (width >= least) return {left, width};
  return {std::clamp(left + width / 2 - least / 2, at.frame.left, at.frame.right() - least), least};
}

// Solid as far as claim and outcome agree, hatched between them: the hatched part above the heavy line is claimed and
// not kept, the cross-hatched part below it is kept and not claimed.
void bar(Svg& svg, const Layout& at, const Bin& bin, const BarWidth& at_x, const std::string& over,
         const std::string& under) {
  const auto& [frame, strip, across, up] = at;
  const double left = at_x.left, width = at_x.width, opacity = weight_of(bin);
  const double shared = up(std::min(bin.mean_label, bin.mean_score));
  const double top = up(std::max(bin.mean_label, bin.mean_score));
  const std::string_view edge = outline(width);
  svg.rect({left, shared, width, frame.bottom() - shared},
           {.fill = palette::bar.light, .stroke = edge, .width = 0.7, .opacity = opacity});
  if (shared - top > 0.005)
    svg.rect(
        {left, top, width, shared - top},
        {.fill = bin.mean_score > bin.mean_label ? over : under, .stroke = edge, .width = 0.7, .opacity = opacity});
  svg.line(left, up(bin.mean_label), left + width, up(bin.mean_label),
           {.stroke = dark, .width = 2, .opacity = opacity});
}

// 1, 10, 100, 1k, ..., 1M: short enough to leave room for the title of the axis.
std::string power_of_ten(int power) {
  if (power < 0 || power > 11) return fmt::format("1e{}", power);
  const std::string_view unit[] = {"", "k", "M", "G"};
  return "1" + std::string(static_cast<std::size_t>(power % 3), '0') + std::string(unit[power / 3]);
}

// Logarithmic, because a network's last bin holds almost everything. The axis begins at half a power of ten so that a
// bin of one row can be seen.
void counts(Svg& svg, const Layout& at, const std::vector<Bin>& bins, const CurveBand* curve, bool weighted) {
  const auto& [frame, strip, across, up] = at;
  const auto less = [](const Bin& a, const Bin& b) { return a.count < b.count; };
  const auto [fewest, most] = std::ranges::minmax_element(bins, less);
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
    const double top = y(std::log10(bin.count));
    const auto [left, width] = where_rows_are(at, bin, curve);
    svg.rect({left, top, width, strip.bottom() - top},
             {.fill = palette::count.light, .stroke = outline(width), .width = 0.7});
  }
  svg.y_axis(strip, y, ticks, weighted ? "weight (log)" : "rows (log)");
}

// An I with a white rim: it stands on bars, hatching and curve alike.
void bracket(Svg& svg, double x, double low, double high, double half) {
  svg.bracket(x, low, high, half, {.stroke = white, .width = 4});
  svg.bracket(x, low, high, half, {.stroke = palette::bracket.light, .width = 1.8});
}

void bands(Svg& svg, const Layout& at, const std::vector<Bin>& bins, const std::vector<Band>& band) {
  svg.begin("band");
  const double half = bins.size() > 60 ? 1.5 : 4;
  for (std::size_t i = 0; i < bins.size(); ++i)
    bracket(svg, at.across(bins[i].mean_score), at.up(band[i].low), at.up(band[i].high), half);
  svg.end();
}

// The isotonic fit: flat over each of its blocks, drawn where there are scores. Steps below a tenth of a pixel are left
// out.
void curve(Svg& svg, const Layout& at, const std::vector<Bin>& blocks, double from, double to) {
  std::vector<Point> steps;
  for (const Bin& block : blocks) {
    if (block.upper <= from || block.lower >= to) continue;
    const double left = at.across(std::max(block.lower, from)), right = at.across(std::min(block.upper, to));
    const double y = at.up(block.mean_label);
    if (!steps.empty() && &block != &blocks.back() && right - steps.back().x < 0.1 && steps.back().y - y < 0.1)
      continue;
    steps.push_back({steps.empty() ? left : steps.back().x, y});
    steps.push_back({right, y});
  }
  svg.begin("corp");
  svg.path(steps, {.stroke = white, .width = 4});
  svg.path(steps, {.stroke = curve_colour, .width = 2});
  svg.end();
}

// Bins of equal width whose empty ones were left out, so that they end where the scores do; else those that are drawn.
const std::vector<Bin>& widths(const Survey& survey, std::optional<std::size_t> class_index,
                               const std::vector<Bin>& drawn) {
  for (const Measured& m : survey.measured)
    if (m.about.roles.reference && m.about.binning == Binning::width && m.class_index == class_index && m.estimate &&
        !m.estimate->per_bin.empty())
      return m.estimate->per_bin;
  return drawn;
}

struct Shown {
  bool band = false, curve = false;
};

void legend(Svg& svg, const Layout& at, const Words& say, const std::string& over, const std::string& under,
            Shown shown) {
  const double y = at.strip.bottom() + 54;
  const auto entry = [&](double x, double base, std::string_view fill, std::string_view meaning) {
    svg.rect({x, base - 10, 14, 11}, {.fill = fill, .stroke = dark, .width = 0.7});
    svg.text(x + 20, base, meaning);
  };
  entry(14, y, palette::bar.light, say.rate);
  entry(160, y, over, say.over);
  entry(310, y, under, say.under);
  svg.line(14, y + 14, 28, y + 14, {.stroke = dark, .width = 1.5, .dash = "4 3"});
  svg.text(34, y + 18, "perfectly calibrated");
  svg.circle(167, y + 14, 3, {.fill = white, .stroke = dark, .width = 1.2});
  svg.text(180, y + 18, fmt::format("{} at its {}", say.rate, say.mean_score));
  if (shown.band) {
    bracket(svg, 167, y + 38, y + 26, 4);
    svg.text(180, y + 36, "where bars of a calibrated model end, 95 of 100");
  }
  if (shown.curve) {
    svg.path({{14, y + 35}, {21, y + 35}, {21, y + 29}, {28, y + 29}}, {.stroke = curve_colour, .width = 2});
    svg.text(34, y + 36, "isotonic fit (CORP)");
  }
}

constexpr Scale scores{0, 1, 60, 440};

// Heights of bars are compared by eye, and that is fair only among bars of one width.
bool equal_widths(const std::vector<Bin>& bins) {
  const double width = bins.front().upper - bins.front().lower;
  return std::ranges::all_of(bins, [&](const Bin& bin) { return std::abs(bin.upper - bin.lower - width) < 1e-9; });
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

Result<std::string> bars_svg(const Survey& survey, const PictureOptions& options) {
  const auto found = drawn(survey, options);
  if (!found) return found.error();
  const std::vector<Bin>& bins = (*found)->estimate->per_bin;
  const Measured* isotonic = find(survey, &Roles::monotone, (*found)->class_index);
  const Shown shown{.band = options.band.size() == bins.size(),
                    .curve = isotonic && isotonic->estimate && !isotonic->estimate->per_bin.empty()};
  const CurveBand* rows = survey.curve && !(*found)->class_index ? &*survey.curve : nullptr;
  const Words say = words(survey.input.reduction);
  const Layout at(options.heading ? heading_height : no_heading_height);
  const auto& [frame, strip, across, up] = at;
  const double height = strip.bottom() + (shown.band || shown.curve ? 102 : 84);
  Svg svg = figure(survey, **found, "Reliability diagram", height, options.heading);
  const std::string over = options.id + "-over", under = options.id + "-under";
  const std::string over_fill = "url(#" + over + ")", under_fill = "url(#" + under + ")";
  svg.hatch(over, white, palette::over.light, false);
  svg.hatch(under, palette::under_ground.light, palette::under.light, true);

  svg.grid(frame, across, percent_ticks(), up, percent_ticks());
  for (std::size_t i = 0; i < bins.size(); ++i) {
    std::string tip = bin_tip(bins[i], say);
    if (shown.band)
      tip += fmt::format("; if calibrated {:.1f}% to {:.1f}%", 100 * options.band[i].low, 100 * options.band[i].high);
    svg.begin("bin", tip);
    bar(svg, at, bins[i], where_rows_are(at, bins[i], rows), over_fill, under_fill);
    svg.end();
  }
  svg.line(across(0), up(0), across(1), up(1), {.stroke = white, .width = 3});
  svg.line(across(0), up(0), across(1), up(1), {.stroke = dark, .width = 1.5, .dash = "6 4"});
  if (shown.band) bands(svg, at, bins, options.band);
  if (shown.curve) {
    const auto& ends = widths(survey, (*found)->class_index, bins);
    curve(svg, at, isotonic->estimate->per_bin, ends.front().lower, ends.back().upper);
  }
  for (const Bin& bin : bins)
    svg.circle(across(bin.mean_score), up(bin.mean_label), bins.size() > 60 ? 1.5 : 3,
               {.fill = white, .stroke = dark, .width = 1.2});
  svg.line(frame.left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = dark});
  svg.y_axis(frame, up, percent_ticks(), std::string(say.rate) + ", %");
  counts(svg, at, bins, rows, survey.input.weighted);
  svg.x_axis(strip, across, percent_ticks(), say.score);
  legend(svg, at, say, over_fill, under_fill, shown);
  return svg.str();
}

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
             {.fill = palette::bar.light, .stroke = width >= 3 ? dark : "none", .width = 0.7});
    svg.end();
  }
  mark(svg, frame, find(survey, &Roles::mean_label, m.class_index), 60, say.rate, {});
  mark(svg, frame, find(survey, &Roles::mean_score, m.class_index), 235, say.mean_score, "6 4");
  svg.y_axis(frame, up, ticks, survey.input.weighted ? "share of the weight, %" : "share of rows, %");
  svg.x_axis(frame, scores, percent_ticks(), say.score);
  return svg.str();
}

}  // namespace tare::detail::render
