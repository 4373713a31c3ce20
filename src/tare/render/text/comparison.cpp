#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "tare/core/names.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/table/table.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::render {
namespace {

std::string heading(const Comparison& c) {
  const std::string rows =
      c.cross_validated
          ? fmt::format("fitted and judged on {} rows of {}, {}-fold out-of-fold", grouped(c.validation.total_weight),
                        printable(c.validation.source), c.folds)
          : fmt::format("fitted on {} rows of {}, judged on {} rows of {}", grouped(c.validation.total_weight),
                        printable(c.validation.source), grouped(c.test.total_weight), printable(c.test.source));
  const std::string classes = c.test.k > 0 ? fmt::format("{} classes, ", c.test.k) : "";  // of confidences not known
  return fmt::format("{}{}, {}; {}", classes, name(c.test.kind), name(c.test.reduction), rows);
}

std::size_t widest_line(std::string_view text) {
  std::size_t out = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out = std::max(out, display_width(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// As many columns side by side as fit, the others in further tables.
std::string numbers(const Comparison& c, const TextOptions& options) {
  ColumnTable all = methods_table(c, Reader::terminal, options.all);
  std::erase_if(all.columns, [](const Column& column) { return !column.text; });
  const auto table_of = [&](std::size_t from, std::size_t to) {
    ColumnTable out{{all.columns.front()}, all.rows};
    out.columns.insert(out.columns.end(), all.columns.begin() + static_cast<std::ptrdiff_t>(from),
                       all.columns.begin() + static_cast<std::ptrdiff_t>(to));
    return text_table(out);
  };
  std::string out;
  for (std::size_t from = 1, to = 0; from < all.columns.size(); from = to) {
    to = from + 1;
    while (to < all.columns.size() &&
           widest_line(table_of(from, to + 1).str(false)) <= static_cast<std::size_t>(options.width))
      ++to;
    out += (out.empty() ? "" : "\n") + table_of(from, to).str(options.colour);
  }
  return out;
}

// Methods in rows, these criteria in columns; empty if nothing was compared with `against`.
std::string change_table(const Comparison& c, const std::string& against, std::span<const CriterionInfo> shown,
                         bool colour) {
  auto rows = all_rows(c.methods);
  std::erase_if(rows, [&](const MethodResult* m) {
    return std::ranges::none_of(shown, [&](const CriterionInfo& by) { return difference(*m, by.criterion, against); });
  });
  return rows.empty() ? "" : text_table(changes_table(rows, against, shown)).str(colour);
}

// All criteria side by side where they fit, else one under another.
std::string changes(const Comparison& c, const std::string& against, const TextOptions& options) {
  if (widest_line(change_table(c, against, criteria, false)) <= static_cast<std::size_t>(options.width))
    return change_table(c, against, criteria, options.colour);
  std::string out;
  for (const CriterionInfo& criterion : criteria) out += change_table(c, against, {&criterion, 1}, options.colour);
  return out;
}

std::string notes(const Comparison& c, int width) {
  std::string out;
  if (!c.validation.note.empty()) out += wrap("validation: " + c.validation.note, width, "  ");
  if (!c.test.note.empty() && !c.cross_validated) out += wrap("test: " + c.test.note, width, "  ");
  for (const MethodResult& m : c.methods)
    for (const std::string& note : method_notes(m)) out += wrap(m.method + ": " + note, width, "  ");
  return out;
}

// How many groups are off before, and after each method.
std::string group_counts(const Comparison& c, const TextOptions& options) {
  Table table({{"by group"}, {"groups off", true}, {"p of all", true}, {"strongest evidence", false, true}});
  for (const MethodResult& m : c.methods) {
    if (!m.groups) continue;
    const GroupLine& first = m.groups->lines.front();
    table.add({{(m.method == c.winner.method ? "> " : "  ") + m.method},
               {fmt::format("{} of {}", m.groups->count_found(), m.groups->lines.size())},
               {p_text(m.groups->p_value, m.groups->resamples)},
               {fmt::format("{}, {} points, adjusted p {}", printable(group_name(*m.groups, first)),
                            signed_percent(first.gap.value), exact_p(std::log(first.bh)))}});
  }
  return table.str(options.colour, options.width);
}

std::string legend(const ModelTable& models, bool with_rows, int width) {
  const std::string rows = with_rows ? "" : grouped(models.models.front().test.input.n) + " rows each. ";
  const std::string differences =
      models.same_rows ? "*: the difference to the first line is real. The rows are the same in all files, so "
                         "differences of the squared error and of Brier have paired intervals, which hold for all "
                         "lines at once, and these do not contain 0."
                       : "Differences between lines are not judged: " + models.reason + ".";
  return wrap(rows +
                  "In percent, but for Brier. Error: the estimated true mean gap, with its interval; the smallest "
                  "first.",
              width) +
         wrap(differences, width);
}

}  // namespace

std::string text(const Comparison& c, const TextOptions& options) {
  std::string out = wrap(heading(c), options.width) + "\n" +
                    paint(wrap(recommendation(c), options.width), Ink::bold, options.colour) + "\n" +
                    numbers(c, options);
  const auto paragraph = [&](const std::string& words) { out.append("\n").append(wrap(words, options.width)); };
  paragraph("error and calibration errors in percent; > marks what is recommended");
  out += "\nafter minus before (negative is better)\n";
  if (options.all)
    out += changes(c, "uncalibrated", options);
  else
    out += change_table(c, "uncalibrated", {&about(c.winner.criterion), 1}, options.colour);
  if (options.all && c.winner.method != "uncalibrated") {
    const auto rest = changes(c, c.winner.method, options);
    if (!rest.empty()) out += fmt::format("\nminus {} (positive: worse than it)\n{}", c.winner.method, rest);
  }
  paragraph(fmt::format("Intervals: {}, {} resamples; a difference whose interval holds 0 is called noise.", c.interval,
                        c.resamples));
  const auto remarks = notes(c, options.width);
  if (!remarks.empty()) out.append("\n").append(remarks);
  if (c.methods.front().groups)
    out += "\n" + group_counts(c, options) + "\n" + paint(c.winner.method, Ink::bold, options.colour) + "\n" +
           text(*c.methods.front().groups, options);
  return out;
}

std::string text(const ModelTable& models, const TextOptions& options) {
  const InputInfo& first = models.models.front().test.input;
  const bool with_rows =
      std::ranges::any_of(models.models, [&](const ModelLine& line) { return line.test.input.n != first.n; });
  const Table table = text_table(models_table(models, Reader::terminal));
  std::string out = table.str(options.colour, options.width) + "\n" + legend(models, with_rows, options.width);
  const bool alike =
      std::ranges::all_of(models.models, [&](const ModelLine& line) { return line.test.input.used == first.used; });
  for (const ModelLine& line : models.models)
    if (!line.test.input.used.empty() && (!alike || &line == &models.models.front()))
      out += wrap((alike ? "" : printable(line.test.input.source) + ": ") + printable(line.test.input.used),
                  options.width);
  for (const ModelLine& line : models.models)
    if (!line.test.input.note.empty())
      out += wrap("Note on " + printable(line.test.input.source) + ": " + line.test.input.note + ".", options.width);
  return out;
}

}  // namespace tare::detail::render
