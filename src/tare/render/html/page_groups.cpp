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

constexpr std::size_t most_open_groups = 20;

std::string group_rows(const GroupReport& groups, std::size_t from, std::size_t to) {
  const bool top = groups.input.reduction == Reduction::top_label;
  HtmlTable table(fmt::format("Groups {} to {}, by evidence; in percent, gaps in points", from + 1, to),
                  {{"group"},
                   {"rows", true},
                   {top ? "confidence" : "mean probability", true},
                   {top ? "accuracy" : "observed rate", true},
                   {"gap", true},
                   {"95% interval", true},
                   {"shrunken", true},
                   {"root mean square error", true},
                   {"p", true},
                   {"adjusted", true},
                   {"Holm", true},
                   {"verdict"}});
  for (std::size_t i = from; i < to; ++i) {
    const GroupLine& line = groups.lines[i];
    table.add({isolated(group_name(groups, line)), grouped(static_cast<double>(line.rows)), percent(line.confidence),
               percent(line.accuracy), signed_percent(line.gap.value, 2),
               signed_percent(*line.gap.low, 2) + " to " + signed_percent(*line.gap.high, 2),
               signed_percent(line.shrunken_gap, 2),
               line.error ? fmt::format("{} ({} to {})", percent(*line.error->value), percent(*line.error->low),
                                        percent(*line.error->high))
                          : "",
               xml(exact_p(line.log_p)), xml(exact_p(std::log(line.bh))), xml(exact_p(std::log(line.holm))),
               groups.found(line) ? "<span class=\"warn\">▲ off</span>" : "<span class=\"good\">≈ not found</span>"});
  }
  return table.str();
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
  body += with_caption(groups_svg(groups, false),
                       "Gaps of groups, the strongest evidence first. A line is the 95% "
                       "interval; the short upright bar is the shrunken gap.");
  const std::size_t open = std::min(groups.lines.size(), most_open_groups);
  body += group_rows(groups, 0, open);
  if (groups.lines.size() > open) {
    std::string rest = details(fmt::format("The other {} groups", groups.lines.size() - open),
                               group_rows(groups, open, groups.lines.size()));
    body += rest.replace(0, std::string_view("<details").size(), "<details class=\"long\"");
  }
  for (const std::string& note : group_notes(groups)) body += paragraph(note, "notes");
  return section("groups", "Groups", body);
}

}  // namespace tare::inner::render
