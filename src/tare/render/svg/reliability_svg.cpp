// The calibration curve of a survey with its band; bars where they are asked for, or there is no curve.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tare/core/palette.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/curve_marks.hpp"
#include "tare/render/svg/figure.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

constexpr CurvePens curve_pens{.line = palette::curve.light, .band = palette::band.light};
constexpr double legend_line = 17;
constexpr int columns_of_text = 74;

std::vector<std::string> lines_of(const std::string& sentence) {
  std::vector<std::string> out;
  std::istringstream in(wrap(sentence, columns_of_text));
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string points(double low, double high) { return fmt::format("{:.1f}% to {:.1f}%", 100 * low, 100 * high); }

constexpr std::size_t most_curve_marks = 64;

// The curve itself can be pointed at: marks that show only then, at most a few dozen of them.
void curve_points(Svg& svg, const ScoreAxes& axes, const CurveBand& curve, const Words& say) {
  const std::size_t step = (curve.cells.size() + most_curve_marks - 1) / most_curve_marks;
  for (std::size_t i = step / 2; i < curve.cells.size(); i += std::max<std::size_t>(step, 1)) {
    const CurveCell& c = curve.cells[i];
    std::string tip = fmt::format("curve at {:.4g}%: {} {:.1f}%", 100 * c.mean_score, say.rate, 100 * c.curve);
    if (curve.basis != BandBasis::none) {
      const BandPiece band = band_at(curve, c.mean_score);
      tip += "; band " + points(band.low, band.high);
    }
    svg.begin("at", tip);
    svg.circle(axes.x(c.mean_score), axes.y(c.curve), 2, {});
    svg.end();
  }
}

// "53.3% to 60%: 115 rows, mean confidence 56.7%, accuracy 47.8%; band there 40.1% to 60.2%"
std::string bin_tip(const Bin& bin, const CurveBand& curve, const Words& say) {
  std::string out =
      fmt::format("{:.4g}% to {:.4g}%: {} rows, {} {:.1f}%, {} {:.1f}%", 100 * bin.lower, 100 * bin.upper,
                  grouped(bin.count), say.mean_score, 100 * bin.mean_score, say.rate, 100 * bin.mean_label);
  if (curve.basis == BandBasis::none) return out;
  const BandPiece band = band_at(curve, bin.mean_score);
  return out + "; band there " + points(band.low, band.high);
}

void draw_bins(Svg& svg, const ScoreAxes& axes, const std::vector<Bin>& bins, const CurveBand& curve,
               const Words& say) {
  double most = 0;
  for (const Bin& bin : bins) most = std::max(most, bin.count);
  for (const Bin& bin : bins) {
    svg.begin("bin", bin_tip(bin, curve, say));
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
    const Pen pen{.stroke = palette::curve.light, .width = 1.5};
    svg.line(21, middle - 6, 21, middle + 6, pen);
    svg.line(18, middle - 6, 24, middle - 6, pen);
    svg.line(18, middle + 6, 24, middle + 6, pen);
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
  const Scale pixels{0, 1, 0, 1};  // ticks are in pixels already
  svg.grid(frame, pixels, axes.x_ticks(), pixels, axes.y_ticks());
  draw_band(svg, axes, curve, curve_pens);
  svg.path(axes.diagonal(), {.stroke = palette::diagonal.light, .width = 1.5, .dash = "6 4"});
  if (curve.basis == BandBasis::values) {
    draw_values(svg, axes, curve, say);
  } else {
    // Bins of equal width say nothing where the axis is not linear.
    draw_bins(svg, axes, linear ? m.estimate->per_bin : axis_bins(axes, curve, frame), curve, say);
    draw_curve(svg, axes, curve, curve_pens);
    curve_points(svg, axes, curve, say);
  }
  svg.y_axis(frame, pixels, axes.y_ticks(), std::string(say.rate) + ", %");
  draw_density(svg, axes, curve, strip, palette::count.light);
  if (!by_rank) svg.text(strip.left - 7, strip.bottom(), survey.input.weighted ? "weight" : "rows", {.anchor = "end"});
  svg.x_axis(strip, pixels, axes.x_ticks(), axis_title(axes, say));
  legend(svg, legend_top, curve, linear ? "bins of " + m.name + ", area by rows" : "parts of the axis, area by rows",
         options.heading);
  return svg.str();
}

}  // namespace

Result<std::string> reliability_svg(const Survey& survey, const PictureOptions& options) {
  const auto found = drawn(survey, options);
  if (!found) return found.error();
  const CurveBand* curve = curve_of(survey, **found);
  if (options.style == ReliabilityStyle::bars || !curve) return bars_svg(survey, options);
  return curve_svg(survey, **found, *curve, options);
}

}  // namespace tare::detail::render
