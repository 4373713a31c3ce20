// For which group is the model wrong: the picture, the strongest evidence first, and the table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/render/html/html.hpp"
#include "tare/render/html/page_parts.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/words/groups.hpp"

namespace tare::inner::render {
namespace {

// Of a column of customers or words there may be a hundred thousand; a browser has no use for them all.
constexpr std::size_t strongest_rows = 400, largest_rows = 100;

HtmlCell points(double fraction) { return {signed_percent(fraction, 2), 100 * fraction}; }

HtmlCell error_cell(const ErrorRange& e) {
  return {fmt::format("{} ({} to {})", percent(*e.value), percent(*e.low), percent(*e.high)),
          {100 * *e.value, 100 * *e.low, 100 * *e.high}};
}

std::string group_rows(const GroupReport& groups) {
  const bool top = groups.input.reduction == Reduction::top_label;
  HtmlTable table("groups-table", "Groups by evidence; in percent, gaps in points",
                  {{"group"},
                   {"rows", true},
                   {top ? "confidence" : "mean probability", true},
                   {top ? "accuracy" : "observed rate", true},
                   {"gap", true},
                   {"95% interval", true, {"gap, low", "gap, high"}},
                   {"shrunken", true},
                   {"root mean square error", true, {"root mean square error", "its low end", "its high end"}},
                   {"p", true},
                   {"adjusted", true},
                   {"Holm", true},
                   {"verdict"}});
  for (const GroupLine* shown : shown_groups(groups, strongest_rows, largest_rows)) {
    const GroupLine& line = *shown;
    table.add({isolated(group_name(groups, line)),
               {grouped(static_cast<double>(line.rows)), static_cast<double>(line.rows)},
               {percent(line.confidence), 100 * line.confidence},
               {percent(line.accuracy), 100 * line.accuracy},
               points(line.gap.value),
               {signed_percent(*line.gap.low, 2) + " to " + signed_percent(*line.gap.high, 2),
                {100 * *line.gap.low, 100 * *line.gap.high}},
               points(line.shrunken_gap),
               line.error ? error_cell(*line.error) : "",
               {xml(exact_p(line.log_p)), std::exp(line.log_p)},
               {xml(exact_p(std::log(line.bh))), line.bh},
               {xml(exact_p(std::log(line.holm))), line.holm},
               groups.found(line) ? "<span class=\"warn\">▲ off</span>" : "<span class=\"good\">≈ not found</span>"});
  }
  return paragraph(left_out(groups, strongest_rows, largest_rows)) + table.str();
}

}  // namespace

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

}  // namespace tare::inner::render
