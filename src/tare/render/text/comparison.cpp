#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "tare/core/names.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/text/text.hpp"
#include "tare/render/words/recommendation.hpp"

namespace tare::inner::render {
namespace {

Ink ink_of(Change change) {
  switch (change) {
    case Change::better:
      return Ink::green;
    case Change::worse:
      return Ink::red;
    case Change::noise:
      return Ink::dim;
  }
  return Ink::plain;
}

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

std::string seconds(double s) {
  return s < 0.01 ? fmt::format("{:.1f} ms", s * 1e3)
         : s < 1  ? fmt::format("{:.0f} ms", s * 1e3)
                  : fmt::format("{:.1f} s", s);
}

std::string title(const Measured& m) { return m.norm ? fmt::format("{} l{}", m.name, *m.norm) : m.name; }

// What stands in a column unasked: the error that people quote, and the two of the verdict.
bool is_usual(const Measured& m) { return m.about.roles.reference || m.about.roles.headline || m.about.roles.mean_gap; }

std::string numbers(const Comparison& c, const TextOptions& options) {
  const auto shown = [&](const MethodResult& m) {
    std::vector<const Measured*> out;
    const bool any = std::any_of(m.estimates.begin(), m.estimates.end(), is_usual);
    for (const Measured& e : m.estimates)
      if (options.all || !any || is_usual(e)) out.push_back(&e);
    return out;
  };
  std::vector<Table::Column> columns{{"", false}, {"error", true}, {"NLL", true}, {"Brier", true}};
  for (const MethodResult& m : c.methods)
    if (m.reason.empty()) {
      for (const Measured* e : shown(m)) columns.push_back({options.all ? title(*e) : e->name, true});
      break;
    }
  if (options.all) columns.push_back({"fit", true});
  Table table(columns);
  for (const MethodResult& m : c.methods) {
    const bool wins = m.method == c.winner.method;
    std::vector<Cell> row{{(wins ? "> " : "  ") + m.method, wins ? Ink::bold : Ink::plain}};
    if (!m.reason.empty()) {
      row.push_back({"n/a", Ink::dim});
      table.add(std::move(row));
      continue;
    }
    row.push_back({percent(m.error)});
    row.push_back({m.nll ? fmt::format("{:.4f}", *m.nll) : "n/a", m.nll ? Ink::plain : Ink::dim});
    row.push_back({fmt::format("{:.4f}", m.brier)});
    for (const Measured* e : shown(m)) row.push_back({e->estimate ? percent(e->estimate->value) : "n/a"});
    if (options.all) row.push_back({m.method == "uncalibrated" ? "" : seconds(m.fit.seconds)});
    table.add(std::move(row));
  }
  return table.str(options.colour);
}

std::string interval_of(const Difference& d) {
  const double scale = about(d.criterion).factor;
  const int digits = about(d.criterion).digits;
  const bool exact = d.change != Change::noise;  // then no number may look like 0
  return fmt::format("{} [{}, {}] {}", signed_number(d.value * scale, digits, exact),
                     signed_number(d.low * scale, digits, exact), signed_number(d.high * scale, digits, exact),
                     name(d.change));
}

// Methods in rows, these criteria in columns; empty if nothing was compared with `against`.
std::string change_table(const Comparison& c, const std::string& against, std::span<const CriterionInfo> shown,
                         bool colour) {
  std::vector<Table::Column> columns{{"", false}};
  for (const CriterionInfo& criterion : shown) columns.push_back({std::string(criterion.short_title), false});
  Table table(columns);
  for (const MethodResult& m : c.methods) {
    std::vector<Cell> row{{"  " + m.method}};
    bool any = false;
    for (const CriterionInfo& criterion : shown) {
      const auto at = std::find_if(m.differences.begin(), m.differences.end(), [&](const Difference& d) {
        return d.against == against && d.criterion == criterion.criterion;
      });
      any |= at != m.differences.end();
      row.push_back(at == m.differences.end() ? Cell{} : Cell{interval_of(*at), ink_of(at->change)});
    }
    if (any) table.add(std::move(row));
  }
  return table.empty() ? std::string() : table.str(colour);
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
  for (const MethodResult& m : c.methods) {
    if (!m.reason.empty()) out += wrap(m.method + ": not fitted: " + m.reason, width, "  ");
    if (!m.fit.note.empty()) out += wrap(m.method + ": " + m.fit.note, width, "  ");
    if (m.nll_infinite_rows > 0)
      out += wrap(fmt::format("{}: {} rows gave probability 0 to what happened, so its NLL is infinite", m.method,
                              grouped(static_cast<double>(m.nll_infinite_rows))),
                  width, "  ");
  }
  return out;
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
  return out;
}

}  // namespace tare::inner::render
