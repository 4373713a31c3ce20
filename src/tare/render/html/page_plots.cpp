// Pictures that answer one question each, with the numbers behind them in percent.
#include <fmt/format.h>

#include "tare/render/html/page.hpp"
#include "tare/render/pictures/plots.hpp"
#include "tare/render/svg/pictures.hpp"

namespace tare::detail::render {
namespace {

constexpr std::size_t most_kind_rows = 30;

std::string rejection_numbers(const RejectionCurve& curve) {
  const std::size_t step = (curve.points.size() + most_kind_rows - 1) / most_kind_rows;
  std::vector<RejectionPoint> few;
  for (std::size_t i = step - 1; i < curve.points.size(); i += step) few.push_back(curve.points[i]);
  return page_table("rejection-numbers",
                    "Accuracy among the most confident rows, in percent; saved as CSV there are more", table(few))
      .str();
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
    out += figure_html({.name = "before-after",
                        .picture = before_after_svg(both, false),
                        .caption = fmt::format("Before and after {}, which is recommended.", xml(both.method)),
                        .csv = page_csv(table(std::vector{both.before, both.after}))});
  }
  if (report.map) {
    out += figure_html({.name = "map",
                        .picture = *svg(*report.map, false),
                        .caption = fmt::format("What {} makes of every score, over the hit rates of the test rows.",
                                               xml(report.map->method)),
                        .csv = page_csv(table(*report.map))});
  }
  return out.empty() ? "" : "<div class=\"two\">\n" + out + "</div>\n";
}

std::string rejection_figure(const Report& report) {
  if (!report.rejection || report.rejection->points.size() < 2) return "";
  return figure_html({.name = "rejection",
                      .picture = *svg(*report.rejection, false),
                      .caption =
                          "Accuracy among the most confident rows, if the others are handed to somebody else, and "
                          "the accuracy that the model claims for them.",
                      .numbers = rejection_numbers(*report.rejection),
                      .csv = page_csv(table(report.rejection->points))});
}

std::string detectable_figure(const Report& report) {
  if (!report.detectable) return "";
  const auto picture = svg(*report.detectable, false);
  if (!picture) return "";
  return figure_html(
      {.name = "detectable",
       .picture = *picture,
       .caption = "The smallest error that the test finds in 95 of 100 samples, for other numbers of rows "
                  "with the same scores.",
       .numbers = page_table("detectable-numbers", "The smallest error that is found in 95 of 100 samples, in percent",
                             table(report.detectable->points))
                      .str()});
}

std::string bins_figure(const Report& report) {
  if (!report.bin_choice || report.bin_choice->lines.empty()) return "";
  return "<h3>Does the number of bins matter?</h3>\n" +
         figure_html(
             {.name = "bins",
              .picture = *svg(*report.bin_choice, false),
              .caption = "Binned errors against the number of bins, and against the number of rows (random parts "
                         "of the data), each over what a calibrated model would show.",
              .numbers = page_table("bin-choice-numbers", "Errors by the number of bins and of rows, in percent",
                                    table(*report.bin_choice))
                             .str()});
}

}  // namespace tare::detail::render
