// Pictures that answer one question each, with the numbers behind them in percent.
#include <fmt/format.h>

#include "tare/render/html/html.hpp"
#include "tare/render/html/page_parts.hpp"
#include "tare/render/svg/kinds/curves_svg.hpp"
#include "tare/render/svg/kinds/kinds.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::inner::render {
namespace {

constexpr std::size_t most_kind_rows = 30;

HtmlCell percent_cell(double fraction) { return {percent(fraction), 100 * fraction}; }

std::string rejection_csv(const RejectionCurve& curve) {
  std::string out = "share kept,threshold,accuracy,low,high,claimed\n";
  for (const RejectionPoint& p : curve.points)
    out += fmt::format("{:.8g},{:.8g},{:.8g},{:.8g},{:.8g},{:.8g}\n", 100 * p.share, 100 * p.threshold,
                       100 * p.accuracy, 100 * p.low, 100 * p.high, 100 * p.claimed);
  return out;
}

std::string rejection_table(const RejectionCurve& curve) {
  HtmlTable table("rejection-numbers",
                  "Accuracy among the most confident rows, in percent; saved as CSV there are more",
                  {{"share kept", true},
                   {"threshold", true},
                   {"accuracy", true},
                   {"95% interval", true, {"low", "high"}},
                   {"claimed", true}});
  const std::size_t step = (curve.points.size() + most_kind_rows - 1) / most_kind_rows;
  for (std::size_t i = step - 1; i < curve.points.size(); i += step) {
    const RejectionPoint& p = curve.points[i];
    table.add({percent_cell(p.share), percent_cell(p.threshold), percent_cell(p.accuracy),
               range_cell(percent(p.low), 100 * p.low, percent(p.high), 100 * p.high), percent_cell(p.claimed)});
  }
  return table.str();
}

std::string detectable_table(const DetectableCurve& curve) {
  HtmlTable table("detectable-numbers", "The smallest error that is found in 95 of 100 samples, in percent",
                  {{"rows", true}, {"error", true}, {""}});
  for (const DetectablePoint& p : curve.points)
    table.add({{grouped(p.n), p.n},
               p.smallest.tce ? percent_cell(*p.smallest.tce) : HtmlCell("n/a"),
               p.here ? "these data" : ""});
  return table.str();
}

std::string choice_table(const BinChoice& choice) {
  HtmlTable table("bin-choice-numbers", "Errors by the number of bins and of rows, in percent",
                  {{"estimator"},
                   {"bins", true},
                   {"rows", true},
                   {"error", true},
                   {"if calibrated: mean", true},
                   {"95% quantile", true}});
  const auto cell = [](const std::optional<double>& x) { return x ? percent_cell(*x) : HtmlCell(""); };
  for (const BinChoiceLine& line : choice.lines) {
    const std::string name = fmt::format("<code>{}</code>", line.about.name);
    for (const BinChoicePoint& p : line.by_bins)
      table.add({name, {grouped(p.at), p.at}, "", percent_cell(p.value), cell(p.floor), cell(p.floor_high)});
    for (const BinChoicePoint& p : line.by_rows)
      table.add({name, "", {grouped(p.at), p.at}, percent_cell(p.value), cell(p.floor), cell(p.floor_high)});
  }
  return table.str();
}

}  // namespace

std::string estimators_figure(const Report& report) {
  const auto picture = estimators_svg(report.survey, {.bias = report.bias ? &*report.bias : nullptr, .heading = false});
  if (!picture) return "";
  return figure_html({.name = "estimators",
                      .picture = *picture,
                      .caption = "Each estimator with what chance would show, its interval where there is a valid one, "
                                 "and its corrected value. All are estimates of one true error, or meant to be.",
                      .table = "estimators-table"});
}

// The recommended calibrator: curves before and after it in one frame, and what it makes of every score.
std::string winner_figures(const Report& report) {
  std::string out;
  if (report.before_after) {
    const BeforeAfter& both = *report.before_after;
    std::string csv = "curve,from,to,rows,rate,smooth,low,high\n";
    for (const NamedCurve* curve : {&both.before, &both.after})
      for (const CurveCell& c : curve->curve.cells)
        csv += fmt::format("{},{:.8g},{:.8g},{:.8g},{:.8g},{:.8g},{:.8g},{:.8g}\n", curve->name, 100 * c.first,
                           100 * c.last, c.count, 100 * c.rate, 100 * c.curve, 100 * c.low, 100 * c.high);
    out += figure_html({.name = "before-after",
                        .picture = before_after_svg(both, false),
                        .caption = fmt::format("Before and after {}, which is recommended.", xml(both.method)),
                        .csv = csv});
  }
  if (report.map) {
    std::string csv = "line,before,after,low,high,rows\n";
    for (const MapLine& line : report.map->lines)
      for (const MapPoint& p : line.curve)
        csv += fmt::format("{},{:.8g},{:.8g},{:.8g},{:.8g},{:.8g}\n",
                           line.class_index ? fmt::format("class {}", *line.class_index) : "scores", 100 * p.before,
                           100 * p.after, 100 * p.low, 100 * p.high, p.weight);
    out += figure_html({.name = "map",
                        .picture = map_svg(*report.map, false),
                        .caption = fmt::format("What {} makes of every score, over the hit rates of the test rows.",
                                               xml(report.map->method)),
                        .csv = csv});
  }
  return out.empty() ? "" : "<div class=\"two\">\n" + out + "</div>\n";
}

std::string rejection_figure(const Report& report) {
  if (!report.rejection || report.rejection->points.size() < 2) return "";
  return figure_html({.name = "rejection",
                      .picture = rejection_svg(*report.rejection, false),
                      .caption =
                          "Accuracy among the most confident rows, if the others are handed to somebody else, and "
                          "the accuracy that the model claims for them.",
                      .numbers = rejection_table(*report.rejection),
                      .csv = rejection_csv(*report.rejection)});
}

std::string detectable_figure(const Report& report) {
  if (!report.detectable) return "";
  const auto picture = detectable_svg(*report.detectable, false);
  if (!picture) return "";
  return figure_html({.name = "detectable",
                      .picture = *picture,
                      .caption =
                          "The smallest error that the test finds in 95 of 100 samples, for other numbers of rows "
                          "with the same scores.",
                      .numbers = detectable_table(*report.detectable)});
}

std::string bins_figure(const Report& report) {
  if (!report.bin_choice || report.bin_choice->lines.empty()) return "";
  return "<h3>Does the number of bins matter?</h3>\n" +
         figure_html({.name = "bins",
                      .picture = bins_svg(*report.bin_choice, false),
                      .caption =
                          "Binned errors against the number of bins, and against the number of rows (random parts "
                          "of the data), each over what a calibrated model would show.",
                      .numbers = choice_table(*report.bin_choice)});
}

}  // namespace tare::inner::render
