// The calibration curve of a survey with its band; bars where they are asked for, or there is no curve. And both small,
// without words of their own.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

constexpr double legend_line = 17;
constexpr int columns_of_text = 74;

// Radius of a mark whose area is as large a part of the largest as its count is.
double mark_radius(double count, double most, double largest) {
  return std::max(largest * std::sqrt(count / most), 1.2);
}

double most_rows(const CurveBand& curve) {
  double most = 0;
  for (const CurveCell& c : curve.cells) most = std::max(most, c.count);
  return most;
}

// The rows of each part of the axis taken together, where some are.
std::vector<Bin> axis_bins(const ScoreAxes& axes, const CurveBand& curve, const Frame& frame) {
  constexpr int parts = 15;
  std::vector<Bin> out;
  int last = -1;
  for (const CurveCell& c : curve.cells) {
    if (c.mean_score > axes.most() || c.mean_score < axes.least()) continue;
    const int part = std::min(static_cast<int>(parts * (axes.x(c.mean_score) - frame.left) / frame.width), parts - 1);
    if (part != last) out.push_back({.lower = c.first});
    last = part;
    Bin& bin = out.back();
    bin.upper = c.last;
    bin.mean_score = (bin.mean_score * bin.count + c.mean_score * c.count) / (bin.count + c.count);
    bin.mean_label = (bin.mean_label * bin.count + c.rate * c.count) / (bin.count + c.count);
    bin.count += c.count;
  }
  return out;
}

// A step less than a tenth of a pixel from the last is left out.
void step(std::vector<Point>& path, double from, double to, double y) {
  if (!path.empty() && std::abs(path.back().y - y) < 0.1) {
    path.back().x = to;
    return;
  }
  path.push_back({from, y});
  path.push_back({to, y});
}

// The band as a filled area; of few values a line for each interval.
void draw_band(Svg& svg, const ScoreAxes& axes, const CurveBand& curve) {
  if (curve.basis == BandBasis::none) return;
  svg.begin("band");
  if (curve.basis == BandBasis::values) {
    for (const CurveCell& c : curve.cells) {
      svg.bracket(axes.x(c.first), axes.y(c.low), axes.y(c.high), 3, {.stroke = palette::curve.light, .width = 1.5});
    }
  } else {
    std::vector<Point> upper, lower;
    for (const BandPiece& p : band_pieces(curve)) {
      if (p.from >= axes.most() || p.to <= axes.least()) continue;
      const double from = axes.x(p.from), to = axes.x(p.to);
      step(upper, from, to, axes.y(p.high));
      step(lower, from, to, axes.y(p.low));
    }
    std::ranges::reverse(lower);
    upper.insert(upper.end(), lower.begin(), lower.end());
    svg.path(upper, {.fill = palette::band.light});
  }
  svg.end();
}

// The smooth estimate; of few values a dot for each, its area by its count.
void draw_curve(Svg& svg, const ScoreAxes& axes, const CurveBand& curve) {
  svg.begin("curve");
  if (curve.basis == BandBasis::values) {
    for (const CurveCell& c : curve.cells)
      svg.circle(axes.x(c.first), axes.y(c.rate), mark_radius(c.count, most_rows(curve), 11),
                 {.fill = palette::curve.light, .opacity = 0.75});
  } else {
    std::vector<Point> path;
    for (const CurveCell& c : curve.cells) {
      if (c.mean_score > axes.most() || c.mean_score < axes.least()) continue;
      const Point p{axes.x(c.mean_score), axes.y(c.curve)};
      if (path.empty() || std::hypot(p.x - path.back().x, p.y - path.back().y) > 0.3) path.push_back(p);
    }
    if (path.size() == 1) svg.circle(path[0].x, path[0].y, 3, {.fill = palette::curve.light});
    svg.path(path, {.stroke = palette::curve.light, .width = 2.5});
  }
  svg.end();
}

// Where the rows are along the axis; by rank, where every column would be the same, nothing.
void draw_density(Svg& svg, const ScoreAxes& axes, const CurveBand& curve, const Frame& strip) {
  if (axes.kind() == AxisKind::rank) return;
  const auto heights = density_heights(axes, curve, strip, static_cast<std::size_t>(strip.width / 5));
  const double wide = strip.width / static_cast<double>(heights.size());
  const bool cut = axes.kind() == AxisKind::logit;
  svg.begin("density", cut ? "share of rows; those beyond the axis are at its ends, cut" : "share of rows");
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (heights[i] <= 0) continue;
    const double height = std::max(strip.height * heights[i], 0.7);
    svg.rect({strip.left + static_cast<double>(i) * wide, strip.bottom() - height, wide, height},
             {.fill = palette::count.light});
  }
  svg.end();
}

std::vector<std::string> lines_of(const std::string& sentence) {
  std::vector<std::string> out;
  std::istringstream in(wrap(sentence, columns_of_text));
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string points(double low, double high) { return fmt::format("{:.1f}% to {:.1f}%", 100 * low, 100 * high); }

std::string band_words(const CurveBand& curve, double score) {
  const BandPiece band = band_at(curve, score);
  return points(band.low, band.high);
}

// The curve itself can be pointed at: marks that show only then, at most so many of them.
void curve_points(Svg& svg, const ScoreAxes& axes, const CurveBand& curve, const Words& say, std::string_view at,
                  std::size_t most, double radius) {
  const std::size_t step = std::max<std::size_t>((curve.cells.size() + most - 1) / most, 1);
  for (std::size_t i = step / 2; i < curve.cells.size(); i += step) {
    const CurveCell& c = curve.cells[i];
    std::string tip = fmt::format("{} {:.4g}%: {} {:.1f}%", at, 100 * c.mean_score, say.rate, 100 * c.curve);
    if (curve.basis != BandBasis::none) tip += "; band " + band_words(curve, c.mean_score);
    svg.begin("at", tip);
    svg.circle(axes.x(c.mean_score), axes.y(c.curve), radius, {});
    svg.end();
  }
}

void draw_bins(Svg& svg, const ScoreAxes& axes, const std::vector<Bin>& bins, const CurveBand& curve,
               const Words& say) {
  double most = 0;
  for (const Bin& bin : bins) most = std::max(most, bin.count);
  for (const Bin& bin : bins) {
    std::string tip = bin_tip(bin, say);
    if (curve.basis != BandBasis::none) tip += "; band there " + band_words(curve, bin.mean_score);
    svg.begin("bin", tip);
    const double r = mark_radius(bin.count, most, bins.size() > 60 ? 4 : 7);
    svg.circle(axes.x(bin.mean_score), axes.y(bin.mean_label), r,
               {.fill = palette::ground.light, .stroke = palette::ink.light, .width = 1, .opacity = 0.8});
    svg.end();
  }
}

void draw_values(Svg& svg, const ScoreAxes& axes, const CurveBand& curve, const Words& say) {
  double most = 0;
  for (const CurveCell& c : curve.cells) most = std::max(most, c.count);
  for (const CurveCell& c : curve.cells) {
    svg.begin("bin", fmt::format("{:.4g}%: {} rows, {} {:.1f}%; interval {}", 100 * c.first, grouped(c.count), say.rate,
                                 100 * c.rate, points(c.low, c.high)));
    svg.circle(axes.x(c.first), axes.y(c.rate), mark_radius(c.count, most, 11),
               {.fill = palette::curve.light, .opacity = 0.75});
    svg.end();
  }
}

void legend(Svg& svg, double y, const CurveBand& curve, const std::string& marks, bool sentences) {
  const bool values = curve.basis == BandBasis::values;
  const double middle = y - 4;
  if (values) {
    svg.bracket(21, middle - 6, middle + 6, 3, {.stroke = palette::curve.light, .width = 1.5});
    svg.text(34, y, band_label(curve));
  } else if (curve.basis != BandBasis::none) {
    svg.rect({14, y - 10, 14, 11}, {.fill = palette::band.light});
    svg.text(34, y, band_label(curve));
  }
  if (curve.basis != BandBasis::none) y += legend_line;
  if (values) {
    svg.circle(21, y - 4, 5, {.fill = palette::curve.light, .opacity = 0.75});
    svg.text(34, y, "one value of the score, area by rows");
  } else {
    svg.line(14, y - 4, 28, y - 4, {.stroke = palette::curve.light, .width = 2.5});
    svg.text(34, y, "smooth estimate");
    svg.circle(146, y - 4, 4.5, {.fill = palette::ground.light, .stroke = palette::ink.light, .width = 1});
    svg.text(159, y, marks);
  }
  svg.line(352, y - 4, 366, y - 4, {.stroke = palette::diagonal.light, .width = 1.5, .dash = "4 3"});
  svg.text(372, y, "calibrated");
  if (!sentences) return;
  y += legend_line + 4;
  for (const std::string& sentence : {band_meaning(curve), diagonal_sentence(curve)})
    for (const std::string& line : lines_of(sentence)) {
      svg.text(14, y, line);
      y += legend_line - 2;
    }
}

std::string axis_title(const ScoreAxes& axes, const Words& say) {
  std::string out(say.score);
  if (axes.kind() == AxisKind::logit) out += " (logit axis)";
  if (axes.kind() == AxisKind::rank) out += " (axis by rank: a fifth of the rows from tick to tick)";
  return out;
}

std::size_t sentence_lines(const CurveBand& curve) {
  return lines_of(band_meaning(curve)).size() + lines_of(diagonal_sentence(curve)).size();
}

Result<std::string> curve_svg(const Survey& survey, const Measured& m, const CurveBand& curve,
                              const PictureOptions& options) {
  const Words say = words(survey.input.reduction);
  const double top = options.heading ? heading_height : no_heading_height;
  const Frame frame{60, top, 380, 380};
  const ScoreAxes axes({&curve}, options.axis, frame);
  const bool by_rank = axes.kind() == AxisKind::rank, linear = axes.kind() == AxisKind::linear;
  const Frame strip{frame.left, frame.bottom() + 8, frame.width, by_rank ? 0.0 : 40.0};
  const double legend_top = strip.bottom() + 54;
  const double height = legend_top + 2 * legend_line +
                        (options.heading ? 4 + static_cast<double>(sentence_lines(curve)) * (legend_line - 2) : 0) - 4;
  Svg svg = figure(survey, m, "Reliability diagram", height, options.heading);
  svg.grid(frame, {}, axes.x_ticks(), {}, axes.y_ticks());
  draw_band(svg, axes, curve);
  svg.path(axes.diagonal(), {.stroke = palette::diagonal.light, .width = 1.5, .dash = "6 4"});
  if (curve.basis == BandBasis::values) {
    draw_values(svg, axes, curve, say);
  } else {
    // Bins of equal width say nothing where the axis is not linear.
    draw_bins(svg, axes, linear ? m.estimate->per_bin : axis_bins(axes, curve, frame), curve, say);
    draw_curve(svg, axes, curve);
    curve_points(svg, axes, curve, say, "curve at", 64, 2);
  }
  svg.y_axis(frame, {}, axes.y_ticks(), std::string(say.rate) + ", %");
  draw_density(svg, axes, curve, strip);
  if (!by_rank) svg.text(strip.left - 7, strip.bottom(), survey.input.weighted ? "weight" : "rows", {.anchor = "end"});
  svg.x_axis(strip, {}, axes.x_ticks(), axis_title(axes, say));
  legend(svg, legend_top, curve, linear ? "bins of " + m.name + ", area by rows" : "parts of the axis, area by rows",
         options.heading);
  return svg.str();
}

constexpr double side = 130, left_margin = 30, bottom_margin = 22;

const std::vector<Tick>& ticks() {
  static const std::vector<Tick> out{{0, "0"}, {0.5, "50"}, {1, "100"}};
  return out;
}

void draw(Svg& svg, const std::vector<Bin>& bins, double left, double top, const SmallPicture& options) {
  const Words say = words(options.reduction);
  const std::string patterns(options.patterns);
  const Frame frame{left, top, side, side};
  const Scale across{0, 1, left, left + side}, up{0, 1, top + side, top};
  const std::string over = "url(#" + patterns + "-over)", under = "url(#" + patterns + "-under)";
  svg.grid(frame, across, ticks(), up, ticks());
  for (const Bin& bin : bins) {
    const double x = across(bin.lower), width = across(bin.upper) - x;
    const double shared = up(std::min(bin.mean_label, bin.mean_score)),
                 high = up(std::max(bin.mean_label, bin.mean_score));
    svg.begin("bin", bin_tip(bin, say));
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

std::vector<Tick> in_pixels(double from, double to) {
  std::vector<Tick> out;
  for (const Tick& tick : ticks()) out.push_back({from + tick.at * (to - from), tick.label});
  return out;
}

}  // namespace

Result<std::string> reliability_svg(const Survey& survey, const PictureOptions& options) {
  const auto found = drawn(survey, options);
  if (!found) return found.error();
  const CurveBand* curve = curve_of(survey, **found);
  if (options.style == ReliabilityStyle::bars || !curve) return bars_svg(survey, options);
  return curve_svg(survey, **found, *curve, options);
}

std::string small_curve_svg(const CurveBand& curve, const std::vector<const CurveBand*>& all,
                            const SmallPicture& options) {
  const bool linear = suited_axis(all) == AxisKind::linear;
  const double left = linear ? left_margin : left_margin + 10;
  const Frame frame{left, 4, side, side};
  const ScoreAxes axes(all, linear ? AxisKind::linear : AxisKind::logit, frame);
  const auto across = linear ? in_pixels(left, left + side) : axes.x_ticks();
  const auto up = linear ? in_pixels(frame.bottom(), frame.top) : axes.y_ticks();
  const Words say = words(options.reduction);
  Svg svg(left + side + 4, side + bottom_margin, options.title, options.description);
  svg.grid(frame, {}, across, {}, up);
  draw_band(svg, axes, curve);
  svg.path(axes.diagonal(), {.stroke = palette::diagonal.light, .width = 1, .dash = "4 3"});
  draw_curve(svg, axes, curve);
  curve_points(svg, axes, curve, say, say.mean_score, 24, 1.5);
  svg.line(left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = dark});
  svg.line(left, frame.top, left, frame.bottom(), {.stroke = dark});
  for (const Tick& tick : across)
    svg.text(tick.at, frame.bottom() + 13, tick.label,
             {.size = 10, .anchor = tick.at > frame.right() - 8 ? "end" : "middle"});
  for (const Tick& tick : up)
    svg.text(left - 4, tick.at + (tick.at < frame.top + 6 ? 8 : 3), tick.label, {.size = 10, .anchor = "end"});
  return svg.str();
}

std::string small_curves_words(const std::vector<const CurveBand*>& all) {
  return std::string("Each band holds the whole true curve in at least 95 of 100 samples, if that curve never falls.") +
         (suited_axis(all) == AxisKind::linear ? "" : " Both axes are by logit, in percent.");
}

std::string small_reliability_svg(const std::vector<Bin>& bins, const SmallPicture& options) {
  Svg svg(left_margin + side + 4, side + bottom_margin, options.title, options.description);
  draw(svg, bins, left_margin, 4, options);
  return svg.str();
}

}  // namespace tare::detail::render
