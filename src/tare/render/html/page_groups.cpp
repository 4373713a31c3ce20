// For which group is the model wrong: the picture, the strongest evidence first, and the table.
#include "tare/render/html/html.hpp"
#include "tare/render/html/page_parts.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/table/tables.hpp"

namespace tare::detail::render {
namespace {

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
