// Parts of the rows: every class against the rest, the worst first, and groups, the strongest evidence first.
#include <fmt/format.h>

#include <algorithm>

#include "tare/render/html/page.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {
namespace {

constexpr std::size_t most_pictures = 12;

std::vector<const Measured*> ranked(const Survey& classes) {
  std::vector<const Measured*> out;
  for (const Measured& m : classes.measured)
    if (m.class_index && m.estimate && m.about.roles.reference) out.push_back(&m);
  std::ranges::stable_sort(out, [](const auto* a, const auto* b) { return beyond_noise(*a) > beyond_noise(*b); });
  return out;
}

// Errors of a thousand classes are hundredths of a percent.
std::string fine_percent(double fraction) { return percent(fraction, 3); }

std::string class_picture(const Survey& classes, const Measured& m, const std::vector<const CurveBand*>& curves,
                          const SmallPicture& words) {
  if (const CurveBand* curve = curve_of(classes, m)) return small_curve_svg(*curve, curves, words);
  return small_reliability_svg(m.estimate->per_bin, words);
}

std::string thumbnail(const Survey& classes, const Measured& m, const std::vector<const CurveBand*>& curves) {
  const std::string label = class_label(classes, *m.class_index);
  const std::string value = fine_percent(m.estimate->value), noise = m.floor_high ? fine_percent(*m.floor_high) : "?";
  const auto size = class_size(classes, m);
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
  return page_table(
             "classes-table",
             fmt::format("Classes by their calibration error beyond noise ({}{}), in percent", order.front()->name,
                         order.front()->norm ? fmt::format(", l{}", *order.front()->norm) : ""),
             classes_table(classes, order))
      .str();
}

// Of a column of customers or words there may be a hundred thousand; a browser has no use for them all.
constexpr std::size_t strongest_rows = 400, largest_rows = 100;

std::string group_rows(const GroupReport& groups) {
  const auto rows = shown_groups(groups, strongest_rows, largest_rows);
  return paragraph(left_out(groups, strongest_rows, largest_rows)) +
         page_table("groups-table", "Groups by evidence; in percent, gaps in points",
                    groups_table(groups, rows, Reader::page))
             .str();
}

}  // namespace

std::string classes_section(const Report& report) {
  if (!report.classes) return "";
  const Survey& classes = *report.classes;
  const auto order = ranked(classes);
  if (order.empty()) return "";
  const auto loud =
      std::ranges::count_if(order, [](const Measured* m) { return m->judgement == Judgement::above_noise; });
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

std::string groups_section(const Report& report) {
  if (!report.survey.groups) return "";
  const GroupReport& groups = *report.survey.groups;
  std::string body;
  for (const std::string& sentence : group_sentences(groups)) body += paragraph(sentence);
  if (report.comparison)
    for (const MethodResult& m : report.comparison->methods)
      if (m.groups && m.method == report.comparison->winner.method && m.method != "uncalibrated")
        body += paragraph("After " + m.method + ": " + group_sentences(*m.groups).front());
  body += figure_html({.name = "groups",
                       .picture = groups_svg(groups, false),
                       .caption = "Gaps of groups, the strongest evidence first. A line is the 95% interval; the short "
                                  "upright bar is the shrunken gap.",
                       .table = "groups-table"});
  body += group_rows(groups);
  for (const std::string& note : group_notes(groups)) body += paragraph(note, "notes");
  return section("groups", "Groups", body);
}

}  // namespace tare::detail::render
