#include "tare/render/svg/curve_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tare::detail::render {
namespace {

double most_rows(const CurveBand& curve) {
  double most = 0;
  for (const CurveCell& c : curve.cells) most = std::max(most, c.count);
  return most;
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

}  // namespace

double mark_radius(double count, double most, double largest) {
  return std::max(largest * std::sqrt(count / most), 1.2);
}

std::vector<Bin> axis_bins(const ScoreAxes& axes, const CurveBand& curve, const Frame& frame, int parts) {
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

void draw_band(Svg& svg, const ScoreAxes& axes, const CurveBand& curve, const CurvePens& pens) {
  if (curve.basis == BandBasis::none) return;
  svg.begin("band");
  if (curve.basis == BandBasis::values) {
    for (const CurveCell& c : curve.cells) {
      const double x = axes.x(c.first), low = axes.y(c.low), high = axes.y(c.high);
      const Pen pen{.stroke = pens.line, .width = 1.5, .opacity = pens.band_opacity};
      svg.line(x, low, x, high, pen);
      svg.line(x - 3, low, x + 3, low, pen);
      svg.line(x - 3, high, x + 3, high, pen);
    }
  } else {
    std::vector<Point> upper, lower;
    for (const BandPiece& p : band_pieces(curve)) {
      if (p.from >= axes.most() || p.to <= axes.least()) continue;
      const double from = axes.x(p.from), to = axes.x(p.to);
      step(upper, from, to, axes.y(p.high));
      step(lower, from, to, axes.y(p.low));
    }
    std::reverse(lower.begin(), lower.end());
    upper.insert(upper.end(), lower.begin(), lower.end());
    svg.path(upper, {.fill = pens.band, .opacity = pens.band_opacity});
  }
  svg.end();
}

void draw_curve(Svg& svg, const ScoreAxes& axes, const CurveBand& curve, const CurvePens& pens) {
  svg.begin("curve");
  if (curve.basis == BandBasis::values) {
    for (const CurveCell& c : curve.cells)
      svg.circle(axes.x(c.first), axes.y(c.rate), mark_radius(c.count, most_rows(curve), 11),
                 {.fill = pens.line, .opacity = 0.75});
  } else {
    std::vector<Point> path;
    for (const CurveCell& c : curve.cells) {
      if (c.mean_score > axes.most() || c.mean_score < axes.least()) continue;
      const Point p{axes.x(c.mean_score), axes.y(c.curve)};
      if (path.empty() || std::hypot(p.x - path.back().x, p.y - path.back().y) > 0.3) path.push_back(p);
    }
    if (path.size() == 1) svg.circle(path[0].x, path[0].y, 3, {.fill = pens.line});
    svg.path(path, {.stroke = pens.line, .width = 2.5, .dash = pens.dash});
  }
  svg.end();
}

std::vector<double> density_heights(const ScoreAxes& axes, const CurveBand& curve, const Frame& strip,
                                    std::size_t columns) {
  const double wide = strip.width / static_cast<double>(columns);
  std::vector<double> share(columns);
  for (const CurveCell& c : curve.cells) {
    // The rows of a cell lie evenly between its ends.
    const double from = (axes.x(c.first) - strip.left) / wide, to = (axes.x(c.last) - strip.left) / wide;
    const auto first = std::min(static_cast<std::size_t>(from), columns - 1),
               last = std::min(static_cast<std::size_t>(to), columns - 1);
    for (std::size_t i = first; i <= last; ++i) {
      const auto at = static_cast<double>(i);
      const double part =
          first == last ? 1 : (std::min(to, i == last ? to : at + 1) - std::max(from, at)) / (to - from);
      share[i] += c.count * part;
    }
  }
  const bool cut = axes.kind() == AxisKind::logit;
  double most = *std::max_element(share.begin() + cut, share.end() - cut);
  if (most <= 0) most = *std::max_element(share.begin(), share.end());
  for (double& s : share) s = std::min(s / most, 1.0);
  return share;
}

void draw_density(Svg& svg, const ScoreAxes& axes, const CurveBand& curve, const Frame& strip, std::string_view fill) {
  if (axes.kind() == AxisKind::rank) return;
  const auto heights = density_heights(axes, curve, strip, static_cast<std::size_t>(strip.width / 5));
  const double wide = strip.width / static_cast<double>(heights.size());
  const bool cut = axes.kind() == AxisKind::logit;
  svg.begin("density", cut ? "share of rows; those beyond the axis are at its ends, cut" : "share of rows");
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (heights[i] <= 0) continue;
    const double height = std::max(strip.height * heights[i], 0.7);
    svg.rect({strip.left + static_cast<double>(i) * wide, strip.bottom() - height, wide, height}, {.fill = fill});
  }
  svg.end();
}

}  // namespace tare::detail::render
