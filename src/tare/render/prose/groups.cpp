#include "tare/render/prose/prose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tare/core/clean.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

constexpr std::size_t named_groups = 3;
constexpr std::uint64_t few_rows = 200;  // fewer hardly show an error of ten points

// "too confident by 6.1 points" or what else is wrong with it.
std::string fault(const GroupReport& report, const GroupLine& line) {
  if (line.log_p_gap >= std::log(report.alpha)) return "errors that cancel on average";
  const bool over = line.gap.value > 0, top = report.input.reduction == Reduction::top_label;
  return fmt::format("{} by {} points",
                     top    ? (over ? "too confident" : "not confident enough")
                     : over ? "too high"
                            : "too low",
                     percent(std::abs(line.gap.value), 1));
}

std::string columns_text(const GroupReport& report) {
  std::string out;
  for (const GroupColumn& column : report.columns) out += (out.empty() ? "" : ", ") + clean(column.name);
  return out;
}

std::string found_words(const GroupReport& report) {
  const std::size_t found = report.count_found();
  std::string list;
  std::size_t shown = 0;
  for (const GroupLine& line : report.lines) {
    if (!report.found(line) || shown == named_groups) continue;
    list += fmt::format("{}{} ({})", shown == 0 ? "" : "; ", group_name(report, line), fault(report, line));
    ++shown;
  }
  return fmt::format("{} of {} groups of {} {} miscalibrated{} {}.", found, report.lines.size(), columns_text(report),
                     found == 1 ? "is" : "are", found > named_groups ? ". The strongest evidence:" : ":", list);
}

}  // namespace

std::vector<const GroupLine*> shown_groups(const GroupReport& report, std::size_t strongest, std::size_t largest) {
  std::vector<const GroupLine*> out;
  for (const GroupLine& line : report.lines) out.push_back(&line);
  if (out.size() <= strongest + largest) return out;
  const auto others = out.begin() + static_cast<std::ptrdiff_t>(strongest);
  std::stable_sort(others, out.end(), [](const GroupLine* a, const GroupLine* b) { return a->rows > b->rows; });
  out.resize(strongest + largest);
  return out;
}

std::string left_out(const GroupReport& report, std::size_t strongest, std::size_t largest) {
  const std::size_t all = report.lines.size();
  if (all <= strongest + largest) return "";
  return fmt::format(
      "{} of {} groups are shown: the {} with the strongest evidence, and the {} largest of the others. All of them: "
      "`tare measure FILE --group COLUMN --csv`, or JSON.",
      grouped(strongest + largest), grouped(all), grouped(strongest), grouped(largest));
}

std::string group_name(const GroupReport& report, const GroupLine& line) {
  const std::string name = clean(line.name);
  return report.columns.size() == 1 ? name : clean(report.columns[line.column].name) + " = " + name;
}

std::string gap_words(const GroupReport& report) {
  return report.input.reduction == Reduction::top_label ? "mean confidence less accuracy"
                                                        : "mean probability less observed rate";
}

std::string exact_p(double log_p) {
  if (log_p < std::log(1e-300)) return "< 1e-300";
  const double p = std::exp(log_p);
  return p < 1e-3 ? fmt::format("{:.1e}", p) : fmt::format("{:.3f}", p);
}

std::vector<std::string> group_sentences(const GroupReport& report) {
  const std::size_t groups = report.lines.size();
  const std::string p = p_equals(report.p_value, report.resamples);
  std::vector<std::string> out;
  if (report.count_found() > 0) {
    out.push_back(found_words(report));
    out.push_back(
        fmt::format("On average, at most {} of groups named in this way are named wrongly.", level(report.alpha)));
  } else if (report.p_value < report.alpha) {
    out.push_back(
        fmt::format("Some group of {} is off ({} that all are right on average), but the rows do not say which: "
                    "no single one of {} groups stands out after adjusting for their number.",
                    columns_text(report), p, groups));
  } else {
    out.push_back(
        fmt::format("No group of {} is found to be miscalibrated: none of {} stands out after adjusting for "
                    "their number, and together they agree with the scores ({}).",
                    columns_text(report), groups, p));
  }
  const auto small = static_cast<std::size_t>(
      std::ranges::count_if(report.lines, [](const GroupLine& l) { return l.rows < few_rows; }));
  if (small > 0)
    out.push_back(
        fmt::format("{} of {} groups {} fewer than {} rows: in these, errors of less than ten points rarely "
                    "show.",
                    small, groups, small == 1 ? "has" : "have", few_rows));
  return out;
}

std::vector<std::string> group_notes(const GroupReport& report, bool whole) {
  std::string first =
      fmt::format("gap: {}, in points, with its {} interval; ", gap_words(report), level(1 - report.alpha));
  if (whole)
    first +=
        "shrunken: the gap that all groups together make likely, an estimate that decides nothing; p: exact, that "
        "the gap is only chance";
  const std::string inside =
      report.shape_rows > 0
          ? fmt::format(" (of groups with {} rows or more also that no errors cancel inside, by smooth_test)",
                        report.shape_rows)
          : std::string();
  first += fmt::format(
      "{}; !: at most {} of the groups so marked are expected to be marked wrongly, !!: the chance "
      "that any is marked wrongly is at most {} (Holm)",
      whole ? inside + "; adjusted: for the number of groups (Benjamini and Hochberg)"
            : "adjusted: the exact p-value, adjusted for the number of groups (Benjamini and Hochberg)" + inside,
      level(report.alpha), level(report.alpha));
  std::vector<std::string> out{first};
  for (const GroupColumn& column : report.columns)
    out.push_back(fmt::format("{}: {} groups; that every one is right on average: {} ({} redrawings, seed {})",
                              clean(column.name), grouped(column.groups), p_equals(column.p_value, report.resamples),
                              grouped(report.resamples), report.seed));
  for (const std::string& note : report.notes) out.push_back(clean(note));
  return out;
}

}  // namespace tare::detail::render
