// Every class against the rest, the worst first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/html/html.hpp"
#include "tare/render/html/page_parts.hpp"
#include "tare/render/svg/small_svg.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/words/conclusion.hpp"

namespace tare::inner::render {
namespace {

constexpr std::size_t most_pictures = 12;

std::vector<const Measured*> ranked(const Survey& classes) {
  std::vector<const Measured*> out;
  for (const Measured& m : classes.measured)
    if (m.class_index && m.estimate && m.about.roles.reference) out.push_back(&m);
  std::stable_sort(out.begin(), out.end(),
                   [](const auto* a, const auto* b) { return beyond_noise(*a) > beyond_noise(*b); });
  return out;
}

// Lines of one class follow each other in the survey: looked for near the first, not from the start.
const Measured* beside(const Survey& classes, const Measured& m, bool Roles::*role) {
  const auto at = static_cast<std::size_t>(&m - classes.measured.data());
  for (std::size_t i = at; i < classes.measured.size() && classes.measured[i].class_index == m.class_index; ++i)
    if (classes.measured[i].about.roles.*role) return &classes.measured[i];
  for (std::size_t i = at; i-- > 0 && classes.measured[i].class_index == m.class_index;)
    if (classes.measured[i].about.roles.*role) return &classes.measured[i];
  return nullptr;
}

// Errors of a thousand classes are hundredths of a percent.
std::string fine_percent(double fraction) { return percent(fraction, 3); }

HtmlCell fine_cell(const std::optional<double>& fraction) {
  if (!fraction) return "";
  return {fine_percent(*fraction), 100 * *fraction};
}

HtmlCell fine_cell(const Measured* m) { return m && m->estimate ? fine_cell(m->estimate->value) : HtmlCell(""); }

// How many rows have the class as their label.
std::optional<double> size_of(const Survey& classes, const Measured& m) {
  const Measured* rate = beside(classes, m, &Roles::mean_label);
  if (!rate || !rate->estimate) return {};
  const double rows = rate->estimate->value * classes.input.total_weight;
  return classes.input.weighted ? rows : std::round(rows);
}

std::string class_picture(const Survey& classes, const Measured& m, const std::vector<const CurveBand*>& curves,
                          const SmallPicture& words) {
  if (const CurveBand* curve = curve_of(classes, m)) return small_curve_svg(*curve, curves, words);
  return small_reliability_svg(m.estimate->per_bin, words);
}

std::string thumbnail(const Survey& classes, const Measured& m, const std::vector<const CurveBand*>& curves) {
  const std::string label = class_label(classes, *m.class_index);
  const std::string value = fine_percent(m.estimate->value), noise = m.floor_high ? fine_percent(*m.floor_high) : "?";
  const auto size = size_of(classes, m);
  const CurveBand* curve = curve_of(classes, m);
  return figure_html({.name = "class",
                      .picture = class_picture(
                          classes, m, curves,
                          {.title = "Reliability diagram of class " + label,
                           .description = fmt::format("Calibration error {}%; if calibrated, up to {}%.", value, noise),
                           .patterns = page_patterns}),
                      .caption = fmt::format("<b>{}</b>{}<br>{}%, if calibrated up to {}%", isolated(label),
                                             size ? ", " + counted(*size, classes.input.weighted) : "", value, noise),
                      .csv = curve ? curve_csv(*curve) : bins_csv(m.estimate->per_bin)});
}

std::string rows(const Survey& classes, const std::vector<const Measured*>& order) {
  HtmlTable table("classes-table",
                  fmt::format("Classes by their calibration error beyond noise ({}{}), in percent", order.front()->name,
                              order.front()->norm ? fmt::format(", l{}", *order.front()->norm) : ""),
                  {{"class"},
                   {"rank", true},
                   {classes.input.weighted ? "weight" : "rows", true},
                   {"error", true},
                   {"if calibrated: mean", true},
                   {"95% quantile", true},
                   {"mean probability", true},
                   {"observed rate", true},
                   {"by its noise"}});
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Measured& m = *order[i];
    const auto size = size_of(classes, m);
    table.add({isolated(class_label(classes, *m.class_index)),
               {fmt::format("{}", i + 1), static_cast<double>(i + 1)},
               size ? HtmlCell(grouped(*size), *size) : "",
               fine_cell(m.estimate->value),
               fine_cell(m.floor),
               fine_cell(m.floor_high),
               fine_cell(beside(classes, m, &Roles::mean_score)),
               fine_cell(beside(classes, m, &Roles::mean_label)),
               judgement_mark(m.judgement)});
  }
  return table.str();
}

}  // namespace

std::string classes_section(const Report& report) {
  if (!report.classes) return "";
  const Survey& classes = *report.classes;
  const auto order = ranked(classes);
  if (order.empty()) return "";
  const auto loud = std::count_if(order.begin(), order.end(),
                                  [](const Measured* m) { return m->judgement == Judgement::above_noise; });
  std::string body =
      paragraph(fmt::format("Each class against the rest: the probability of the class, and whether it was the label. "
                            "{} of {} classes show more than "
                            "95 of 100 calibrated ones would; {} would do so by chance.",
                            loud, order.size(), fmt::format("{:.3g}", 0.05 * static_cast<double>(order.size()))));
  std::vector<const CurveBand*> curves;
  for (std::size_t i = 0; i < std::min(order.size(), most_pictures); ++i)
    if (const CurveBand* curve = curve_of(classes, *order[i])) curves.push_back(curve);
  if (!curves.empty()) body += paragraph(small_curves_words(curves));
  body += "<div class=\"small\">\n";
  for (std::size_t i = 0; i < std::min(order.size(), most_pictures); ++i) body += thumbnail(classes, *order[i], curves);
  body += "</div>\n";
  body += rows(classes, order);
  for (const std::string& note : classes.notes) body += paragraph(note, "notes");
  return section("classes", "Classes, the worst first", body);
}

}  // namespace tare::inner::render
