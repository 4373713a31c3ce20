// The calibration curve on the first screen: on the axis that suits its rows, and on the others.
#include <fmt/format.h>

#include <array>

#include "tare/render/csv/csv.hpp"
#include "tare/render/html/html.hpp"
#include "tare/render/html/page_parts.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

constexpr std::size_t most_curve_rows = 32;

std::string curve_table(const Report& report, const CurveBand& curve) {
  const bool top = report.survey.input.reduction == Reduction::top_label;
  const bool values = curve.basis == BandBasis::values;
  const std::size_t step = (curve.cells.size() + most_curve_rows - 1) / most_curve_rows;
  HtmlTable table("curve-numbers",
                  step > 1 ? fmt::format("One in {} of the {} cells of neighbouring scores, in percent; saved as CSV "
                                         "there are all",
                                         step, curve.cells.size())
                           : "Cells of neighbouring scores, in percent",
                  {{top ? "confidence" : "probability", true},
                   {report.survey.input.weighted ? "weight" : "rows", true},
                   {top ? "accuracy" : "observed rate", true},
                   {values ? "" : "curve", true},
                   {values ? "interval" : "band", true, {"low", "high"}}});
  const auto cell = [](double fraction) { return HtmlCell(percent(fraction), 100 * fraction); };
  for (std::size_t i = step / 2; i < curve.cells.size(); i += step) {
    const CurveCell& c = curve.cells[i];
    table.add({cell(c.mean_score),
               {grouped(c.count), c.count},
               cell(c.rate),
               values ? HtmlCell("") : cell(c.curve),
               curve.basis == BandBasis::none
                   ? HtmlCell("")
                   : range_cell(percent(c.low), 100 * c.low, percent(c.high), 100 * c.high)});
  }
  return table.str();
}

}  // namespace

std::string curve_csv(const CurveBand& curve) {
  std::string out = "from,to,rows,mean score,rate,curve,band low,band high\n";
  for (const CurveCell& c : curve.cells) {
    out += fmt::format("{:.8g},{:.8g},{:.8g},{:.8g},{:.8g},{:.8g},", 100 * c.first, 100 * c.last, c.count,
                       100 * c.mean_score, 100 * c.rate, 100 * c.curve);
    out += curve.basis == BandBasis::none ? ",\n" : fmt::format("{:.8g},{:.8g}\n", 100 * c.low, 100 * c.high);
  }
  return out;
}

std::vector<PagePanel> curve_panels(const Report& report) {
  if (!report.survey.curve) return {};
  const CurveBand& curve = *report.survey.curve;
  std::vector<AxisKind> kinds{suited_axis({&curve})};
  if (curve.basis != BandBasis::values)
    for (const AxisKind kind : {AxisKind::linear, AxisKind::logit, AxisKind::rank})
      if (kind != kinds.front()) kinds.push_back(kind);
  std::vector<PagePanel> out;
  for (const AxisKind kind : kinds) {
    const auto picture = reliability_svg(report.survey, {.id = "curve", .heading = false, .axis = kind});
    if (!picture) continue;
    const bool first = out.empty();
    out.push_back({fmt::format("curve-{}", axis_name(kind)),
                   curve.basis == BandBasis::values ? "values" : std::string(axis_name(kind)),
                   figure_html({.name = "reliability",
                                .picture = *picture,
                                .caption = xml(band_meaning(curve) + " " + diagonal_sentence(curve)),
                                .numbers = first ? curve_table(report, curve) : "",
                                .table = first ? "" : "curve-numbers",
                                .csv = first ? curve_csv(curve) : ""})});
  }
  return out;
}

}  // namespace tare::detail::render
