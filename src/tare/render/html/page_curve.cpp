// The calibration curve of the page.
#include <fmt/format.h>

#include "tare/render/html/html.hpp"
#include "tare/render/html/page_parts.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/words/curve.hpp"

namespace tare::inner::render {

namespace {

std::string curve_csv(const CurveBand& curve) {
  std::string out = "first,last,mean_score,count,rate,curve,low,high\n";
  for (const CurveCell& c : curve.cells)
    out += fmt::format("{},{},{},{},{},{},{},{}\n", c.first, c.last, c.mean_score, c.count, c.rate, c.curve, c.low,
                       c.high);
  return out;
}

}  // namespace

std::string curve_figure(const Report& report) {
  if (!report.survey.curve) return {};
  const auto picture = reliability_svg(report.survey, {.id = "curve", .heading = false});
  if (!picture) return {};
  const CurveBand& curve = *report.survey.curve;
  return figure_html({.name = "curve",
                      .picture = *picture,
                      .caption = xml(band_meaning(curve) + " " + diagonal_sentence(curve)),
                      .csv = curve_csv(curve)});
}

}  // namespace tare::inner::render
