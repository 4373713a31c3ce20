#include "tare/render/svg/kinds/curves_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tare/render/svg/figure.hpp"
#include "tare/render/svg/kinds/kind_parts.hpp"
#include "tare/render/svg/marks.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

constexpr double curves_width = 460;
constexpr std::size_t most_curves = palette::series.size();

struct Drawn {
  const NamedCurve* curve;
  Look look;
};

std::string cell_tip(const NamedCurve& c, const CurveCell& cell, const Words& say, bool band) {
  std::string out = fmt::format("{}: scores {:.4g} to {:.4g}, {} rows, {} {}%, curve {}%", c.name, cell.first,
                                cell.last, grouped(cell.count), say.rate, percent(cell.rate), percent(cell.curve));
  if (band) out += fmt::format(", band {}% to {}%", percent(cell.low), percent(cell.high));
  return out;
}

// The edges of the band: thin lines, so that several bands can lie over each other.
void draw_edges(Svg& svg, const Drawn& d, const Scale& x, const Scale& y) {
  const std::vector<BandPiece> pieces = band_pieces(d.curve->curve);
  if (d.curve->curve.basis == BandBasis::values) {
    for (const BandPiece& p : pieces)
      svg.line(x(p.from), y(p.low), x(p.from), y(p.high), {.stroke = d.look.colour.light, .width = 1.2});
    return;
  }
  std::vector<Point> low, high;
  for (const BandPiece& p : pieces)
    for (const double at : {p.from, p.to}) {
      low.push_back({x(at), y(p.low)});
      high.push_back({x(at), y(p.high)});
    }
  for (const auto& edge : {low, high})
    if (edge.size() > 1) svg.path(edge, {.stroke = d.look.colour.light, .width = 0.9, .dash = palette::dotted});
}

void draw_curve(Svg& svg, const Drawn& d, const Scale& x, const Scale& y, const Words& say) {
  const CurveBand& band = d.curve->curve;
  const bool known = band.basis != BandBasis::none, few = band.basis == BandBasis::values;
  if (known) draw_edges(svg, d, x, y);
  std::vector<Point> line;
  for (const CurveCell& cell : band.cells) line.push_back({x(cell.mean_score), y(few ? cell.rate : cell.curve)});
  if (line.size() > 1) svg.path(line, {.stroke = d.look.colour.light, .width = few ? 1.0 : 2.0, .dash = d.look.dash});
  const std::size_t step = few ? 1 : std::max<std::size_t>(1, band.cells.size() / 12);
  for (std::size_t i = step / 2; i < band.cells.size(); i += step) {
    svg.begin("bin", cell_tip(*d.curve, band.cells[i], say, known));
    draw_mark(svg, line[i].x, line[i].y, d.look);
    svg.end();
  }
}

// Outlines of the histograms, as shares of their rows.
void draw_histograms(Svg& svg, const std::vector<Drawn>& all, const Frame& strip, const Scale& x) {
  double most = 0;
  const auto share = [](const NamedCurve& c, const Bin& bin) {
    double total = 0;
    for (const Bin& b : c.histogram) total += b.count;
    return bin.count / total;
  };
  for (const Drawn& d : all)
    for (const Bin& bin : d.curve->histogram) most = std::max(most, share(*d.curve, bin));
  const auto ticks = percent_ticks(most);
  const Scale y{0, std::max(ticks.back().at, 1e-9), strip.bottom(), strip.top};
  svg.grid(strip, x, percent_ticks(), y, {ticks.front(), ticks.back()});
  for (const Drawn& d : all) {
    std::vector<Point> outline;
    double end = -1;
    for (const Bin& bin : d.curve->histogram) {
      if (end >= 0 && bin.lower > end + 1e-9) {
        outline.push_back({x(end), strip.bottom()});
        outline.push_back({x(bin.lower), strip.bottom()});
      }
      if (outline.empty()) outline.push_back({x(bin.lower), strip.bottom()});
      outline.push_back({x(bin.lower), y(share(*d.curve, bin))});
      outline.push_back({x(bin.upper), y(share(*d.curve, bin))});
      end = bin.upper;
    }
    if (!outline.empty()) outline.push_back({x(end), strip.bottom()});
    svg.path(outline, {.stroke = d.look.colour.light, .width = 1.5, .dash = d.look.dash});
  }
  svg.y_axis(strip, y, {ticks.front(), ticks.back()}, "rows, %");
}

std::string curves_diagram(const std::vector<Drawn>& all, const InputInfo& input, std::string_view title,
                           std::string_view about, bool heading) {
  const Words say = words(input.reduction);
  const Frame frame{60, kind_top(heading) + 4, 380, 360}, strip{60, frame.bottom() + 12, 380, 64};
  const double legend_top = strip.bottom() + 42, entry = 18;
  Svg svg(curves_width, legend_top + entry * static_cast<double>(all.size() + 1) + 14, title,
          facts_of(input) + ". " + std::string(about));
  kind_heading(svg, input, about, curves_width, heading);
  const Scale x{0, 1, frame.left, frame.right()}, y{0, 1, frame.bottom(), frame.top};
  svg.grid(frame, x, percent_ticks(), y, percent_ticks());
  svg.line(x(0), y(0), x(1), y(1), {.stroke = palette::diagonal.light, .width = 1.4, .dash = palette::dashed});
  for (const Drawn& d : all) draw_curve(svg, d, x, y, say);
  svg.line(frame.left, frame.bottom(), frame.right(), frame.bottom(), {.stroke = palette::ink.light});
  svg.y_axis(frame, y, percent_ticks(), std::string(say.rate) + ", %");
  draw_histograms(svg, all, strip, x);
  svg.x_axis(strip, x, percent_ticks(), say.score);
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
  for (std::size_t i = 0; i < models.size(); ++i) all.push_back({&models[i], palette::series_look(i)});
  const auto other = std::find_if(models.begin(), models.end(), [&](const NamedCurve& m) {
    return m.input.reduction != models.front().input.reduction;
  });
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
  const std::string about = fmt::format("{}, fitted on {}", both.method,
                                        both.same_rows ? "these rows: it looks better than it is" : both.fitted_on);
  return curves_diagram({{&both.before, {palette::before, MarkShape::ring, palette::dashed}},
                         {&both.after, {palette::after, MarkShape::disc, palette::solid}}},
                        both.before.input, "Before and after: " + source_of(both.before.input), shortened(about, 70),
                        heading);
}

}  // namespace tare::inner::render
