#include "tare/render/svg/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

constexpr std::size_t most_curves = palette::series.size();

struct Drawn {
  const NamedCurve* curve;
  Style look;
};

std::string cell_tip(const NamedCurve& c, const CurveCell& cell, const Words& say, bool band) {
  std::string out =
      fmt::format("{}: scores {:.4g}% to {:.4g}%, {} rows, {} {}%, curve {}%", c.name, 100 * cell.first,
                  100 * cell.last, grouped(cell.count), say.rate, percent(cell.rate), percent(cell.curve));
  if (band) out += fmt::format(", band {}% to {}%", percent(cell.low), percent(cell.high));
  return out;
}

// The edges of the band: thin lines, so that several bands can lie over each other.
void draw_edges(Svg& svg, const Drawn& d, const ScoreAxes& axes) {
  const std::vector<BandPiece> pieces = band_pieces(d.curve->curve);
  if (d.curve->curve.basis == BandBasis::values) {
    for (const BandPiece& p : pieces)
      svg.line(axes.x(p.from), axes.y(p.low), axes.x(p.from), axes.y(p.high),
               {.stroke = d.look.colour.light, .width = 1.2});
    return;
  }
  std::vector<Point> low, high;
  for (const BandPiece& p : pieces) {
    if (p.from >= axes.most() || p.to <= axes.least()) continue;
    for (const double at : {p.from, p.to}) {
      low.push_back({axes.x(at), axes.y(p.low)});
      high.push_back({axes.x(at), axes.y(p.high)});
    }
  }
  for (const auto& edge : {low, high})
    if (edge.size() > 1) svg.path(edge, {.stroke = d.look.colour.light, .width = 0.9, .dash = palette::dotted});
}

void draw_curve(Svg& svg, const Drawn& d, const ScoreAxes& axes, const Words& say) {
  const CurveBand& band = d.curve->curve;
  const bool known = band.basis != BandBasis::none, few = band.basis == BandBasis::values;
  if (known) draw_edges(svg, d, axes);
  std::vector<Point> line;
  std::vector<const CurveCell*> cells;
  for (const CurveCell& cell : band.cells) {
    if (cell.mean_score > axes.most() || cell.mean_score < axes.least()) continue;
    line.push_back({axes.x(cell.mean_score), axes.y(few ? cell.rate : cell.curve)});
    cells.push_back(&cell);
  }
  if (line.size() > 1) svg.path(line, {.stroke = d.look.colour.light, .width = few ? 1.0 : 2.0, .dash = d.look.dash});
  const std::size_t step = few ? 1 : std::max<std::size_t>(1, cells.size() / 12);
  for (std::size_t i = step / 2; i < cells.size(); i += step) {
    svg.begin("bin", cell_tip(*d.curve, *cells[i], say, known));
    draw_mark(svg, line[i].x, line[i].y, d.look);
    svg.end();
  }
}

// Outlines of where the rows are, each as high as the strip.
void draw_outlines(Svg& svg, const std::vector<Drawn>& all, const Frame& strip, const ScoreAxes& axes) {
  for (const Drawn& d : all) {
    const std::vector<double> heights = density_heights(axes, d.curve->curve, strip, 48);
    const double wide = strip.width / static_cast<double>(heights.size());
    std::vector<Point> outline{{strip.left, strip.bottom()}};
    for (std::size_t i = 0; i < heights.size(); ++i)
      for (const std::size_t end : {i, i + 1})
        outline.push_back({strip.left + wide * static_cast<double>(end), strip.bottom() - heights[i] * strip.height});
    outline.push_back({strip.right(), strip.bottom()});
    svg.path(outline, {.stroke = d.look.colour.light, .width = 1.5, .dash = d.look.dash});
  }
  svg.text(strip.left - 7, strip.bottom(), "rows", {.anchor = "end"});
}

// Ranks are those of one model: several share an axis by logit instead.
AxisKind shared_axis(const std::vector<const CurveBand*>& curves) {
  const AxisKind kind = suited_axis(curves);
  return kind == AxisKind::rank ? AxisKind::logit : kind;
}

std::string curves_diagram(const std::vector<Drawn>& all, const InputInfo& input, std::string_view title,
                           std::string_view about, bool heading) {
  const Words say = words(input.reduction);
  const Frame frame{60, kind_top(heading) + 4, 380, 360}, strip{60, frame.bottom() + 8, 380, 48};
  const double legend_top = strip.bottom() + 42, entry = 18;
  Svg svg(figure_width, legend_top + entry * static_cast<double>(all.size() + 1) + 14, title,
          facts_of(input) + ". " + std::string(about));
  if (heading) svg.heading(kind_heading(input, about));
  std::vector<const CurveBand*> curves;
  for (const Drawn& d : all) curves.push_back(&d.curve->curve);
  const ScoreAxes axes(curves, shared_axis(curves), frame);
  svg.grid(frame, {}, axes.x_ticks(), {}, axes.y_ticks());
  svg.path(axes.diagonal(), {.stroke = palette::diagonal.light, .width = 1.4, .dash = palette::dashed});
  for (const Drawn& d : all) draw_curve(svg, d, axes, say);
  svg.line(frame.left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = palette::ink.light});
  svg.y_axis(frame, {}, axes.y_ticks(), std::string(say.rate) + ", %");
  draw_outlines(svg, all, strip, axes);
  svg.x_axis(strip, {}, axes.x_ticks(),
             std::string(say.score) + (axes.kind() == AxisKind::logit ? " (logit axis)" : ""));
  double at = legend_top + 12;
  for (const Drawn& d : all) {
    draw_sample(svg, 14, at - 4, 30, d.look);
    const std::string_view told = d.curve->curve.diagonal == Diagonal::outside  ? ": not calibrated"
                                  : d.curve->curve.diagonal == Diagonal::inside ? ": the diagonal is in its band"
                                                                                : "";
    svg.text(52, at, shortened(d.curve->name, 36) + std::string(told));
    at += entry;
  }
  svg.line(14, at - 4, 44, at - 4, {.stroke = palette::ink.light, .width = 0.9, .dash = palette::dotted});
  svg.text(52, at, "95% band of each whole curve");
  return svg.str();
}

}  // namespace

Result<std::string> models_svg(const std::vector<NamedCurve>& models, bool heading) {
  if (models.empty() || models.size() > most_curves)
    return Error{.code = Errc::unsupported,
                 .what = models.empty() ? "there is no model to draw"
                                        : fmt::format("{} curves cannot be told apart", models.size()),
                 .remedy = fmt::format("draw one to {}", most_curves)};
  std::vector<Drawn> all;
  for (std::size_t i = 0; i < models.size(); ++i) all.push_back({&models[i], palette::series_style(i)});
  const auto other = std::ranges::find_if(
      models, [&](const NamedCurve& m) { return m.input.reduction != models.front().input.reduction; });
  if (other != models.end())
    return Error{.code = Errc::unsupported,
                 .what = other->name + " has other scores than " + models.front().name + ": of class 1, not of the " +
                         "predicted class, or the other way round",
                 .remedy = "take top_label as `reduction` for all"};
  InputInfo together{
      .reduction = models.front().input.reduction,
      .source = models.size() == 1 ? models.front().input.source : fmt::format("{} models", models.size())};
  for (const NamedCurve& m : models) together.n += m.input.n;
  return curves_diagram(all, together, "Calibration curves of several models",
                        "each curve with the band of the whole curve", heading);
}

std::string before_after_svg(const BeforeAfter& both, bool heading) {
  const std::string about =
      fitted_words(both.method, both.same_rows ? "these rows: it looks better than it is" : both.fitted_on, 70);
  return curves_diagram({{&both.before, {palette::before, MarkShape::ring, palette::dashed}},
                         {&both.after, {palette::after, MarkShape::disc, palette::solid}}},
                        both.before.input, "Before and after: " + source_of(both.before.input), about, heading);
}

}  // namespace tare::detail::render
