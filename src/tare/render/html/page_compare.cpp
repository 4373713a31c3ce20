// Before and after, for every calibrator.
#include <fmt/format.h>

#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/render/html/html.hpp"
#include "tare/render/html/page_parts.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/svg/small_svg.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/words/conclusion.hpp"
#include "tare/render/words/recommendation.hpp"

namespace tare::inner::render {
namespace {

std::string change_cell(const Difference* d) {
  if (!d) return "";
  const double factor = about(d->criterion).factor;
  const int digits = about(d->criterion).digits;
  const std::string_view sign = d->change == Change::better ? "good" : d->change == Change::worse ? "bad" : "";
  const std::string_view mark = d->change == Change::better  ? "▼ better"
                                : d->change == Change::worse ? "▲ worse"
                                                             : "≈ noise";
  const auto number = [&](double x) { return signed_number(x * factor, digits, d->change != Change::noise); };
  return fmt::format("<span class=\"nowrap\">{} [{}, {}] <span class=\"{}\">{}</span></span>", number(d->value),
                     number(d->low), number(d->high), sign, mark);
}

std::string numbers(const Comparison& c) {
  std::vector<HtmlTable::Column> columns{{"calibrator"}, {"error, %", true}, {"NLL", true}, {"Brier", true}};
  for (const MethodResult& m : c.methods)
    if (m.reason.empty()) {
      for (const Measured& e : m.estimates)
        columns.push_back({e.norm ? fmt::format("{} l{}, %", e.name, *e.norm) : e.name, true});
      break;
    }
  columns.push_back({"fit", true});
  HtmlTable table("All calibrators on the same test rows", columns);
  for (const MethodResult& m : c.methods) {
    const bool wins = m.method == c.winner.method;
    std::vector<std::string> row{(wins ? "▸ " : "") + xml(m.method)};
    if (m.reason.empty()) {
      row.push_back(percent(m.error));
      row.push_back(m.nll ? fmt::format("{:.4f}", *m.nll) : "n/a");
      row.push_back(fmt::format("{:.4f}", m.brier));
      for (const Measured& e : m.estimates)  // ≈: not more than a calibrated model would show
        row.push_back(!e.estimate ? "n/a"
                                  : (e.judgement == Judgement::within_noise ? "≈ " : "") + percent(e.estimate->value));
      row.push_back(m.method == "uncalibrated" ? ""
                    : m.fit.seconds < 1        ? fmt::format("{:.0f} ms", 1e3 * m.fit.seconds)
                                               : fmt::format("{:.1f} s", m.fit.seconds));
    } else {
      row.push_back("n/a");
    }
    table.add(std::move(row), wins ? "best" : "");
  }
  return table.str();
}

std::string changes(const Comparison& c, const std::string& against) {
  std::vector<HtmlTable::Column> columns{{"calibrator"}};
  for (const CriterionInfo& criterion : criteria) columns.push_back({std::string(criterion.title)});
  HtmlTable table(against == "uncalibrated" ? "After minus before; negative is better"
                                            : "Minus " + against + ", which is recommended; positive is worse",
                  columns);
  for (const MethodResult& m : c.methods) {
    if (!difference(m, criteria.front().criterion, against)) continue;
    std::vector<std::string> cells{xml(m.method)};
    for (const CriterionInfo& criterion : criteria)
      cells.push_back(change_cell(difference(m, criterion.criterion, against)));
    table.add(std::move(cells), m.method == c.winner.method ? "best" : "");
  }
  return table.empty() ? "" : table.str();
}

const Measured* drawn_estimate(const MethodResult& m) {
  for (const Measured& e : m.estimates)
    if (e.estimate && !e.estimate->per_bin.empty() && e.estimate->per_bin.size() <= 200) return &e;
  return nullptr;
}

std::string pairs(const Comparison& c) {
  const auto raw = std::find_if(c.methods.begin(), c.methods.end(),
                                [](const MethodResult& m) { return m.method == "uncalibrated"; });
  const Measured* before = raw == c.methods.end() ? nullptr : drawn_estimate(*raw);
  if (!before) return "";
  std::string out = "<div class=\"pairs\">\n";
  for (const MethodResult& m : c.methods) {
    const Measured* after = m.method == "uncalibrated" ? nullptr : drawn_estimate(m);
    if (!after) continue;
    const std::string values = fmt::format("{} {} → {}", after->name, shown_number(*before, before->estimate->value),
                                           shown_number(*after, after->estimate->value));
    const std::string noise =
        after->floor_high ? "; if calibrated, below " + shown_number(*after, *after->floor_high) : "";
    const bool wins = m.method == c.winner.method;
    const Difference* d = difference(m, Criterion::brier, "uncalibrated");
    out += fmt::format(
        "<figure{}>\n{}<figcaption><b>{}</b>{}<br>{}{}</figcaption>\n</figure>\n", wins ? " class=\"best\"" : "",
        before_after_svg(before->estimate->per_bin, after->estimate->per_bin,
                         {.title = "Reliability before and after " + m.method,
                          .description = values + noise,
                          .patterns = page_patterns}),
        xml(m.method), wins ? " (chosen)" : "", xml(values + noise),
        d ? fmt::format("; Brier {}, {}", signed_number(d->value, 4, d->change != Change::noise), name(d->change))
          : "");
  }
  return out + "</div>\n";
}

std::string remarks(const Comparison& c) {
  std::string out;
  for (const auto* in : {&c.validation, &c.test})
    if (!in->note.empty()) out += fmt::format("<li>{}: {}</li>\n", xml(in->source), xml(in->note));
  for (const MethodResult& m : c.methods) {
    const auto add = [&](const std::string& words) {
      out += fmt::format("<li>{}: {}</li>\n", xml(m.method), xml(words));
    };
    if (!m.reason.empty()) add("not fitted: " + m.reason);
    if (!m.fit.note.empty()) add(m.fit.note);
    if (m.nll_infinite_rows > 0)
      add(grouped(static_cast<double>(m.nll_infinite_rows)) +
          " rows gave probability 0 to what happened, so its NLL is infinite");
  }
  return out.empty() ? "" : "<ul class=\"notes\">\n" + out + "</ul>\n";
}

}  // namespace

std::string calibrators_section(const Report& report) {
  if (!report.comparison)
    return report.comparison_reason.empty()
               ? ""
               : section("calibrators", "Calibrators", paragraph("Not compared: " + report.comparison_reason + "."));
  const Comparison& c = *report.comparison;
  const std::string rows = fmt::format("Fitted on {} rows of ", grouped(c.validation.total_weight));
  std::string body = fmt::format("<p>{}{}, judged on {} rows of {}. ", rows, isolated(c.validation.source),
                                 grouped(c.test.total_weight), isolated(c.test.source));
  body += xml(recommendation(c)) +
          " The choice is never made by ECE, which can be lowered by throwing information away, and never on the test "
          "data.</p>\n";
  if (!report.apply.empty()) {
    std::string commands;
    for (const std::string& line : report.apply) commands += (commands.empty() ? "" : "\n") + line;
    body += "<p>To fit it and apply it to new data:</p>\n" + code_block(commands, "commands that fit and apply it");
  }
  body += "<h3>Before and after</h3>\n" + pairs(c) + numbers(c) +
          paragraph("≈: within noise, no more than 95 of 100 perfectly calibrated models would show.", "notes");
  body += "<h3>Is the difference real?</h3>\n";
  if (const auto picture = compare_svg(c, {.criterion = c.winner.criterion, .heading = false}))
    body += with_caption(*picture, fmt::format("Change in {}. Intervals hold for all calibrators at once.",
                                               about(c.winner.criterion).title));
  body += changes(c, "uncalibrated");
  if (c.winner.method != "uncalibrated")
    body += details("Every calibrator against " + c.winner.method, changes(c, c.winner.method));
  body += paragraph(fmt::format("Intervals: {}, {} resamples; a difference whose interval holds 0 is called noise.",
                                c.interval, grouped(static_cast<double>(c.resamples))),
                    "notes");
  return section("calibrators", "Calibrators, before and after", body + remarks(c));
}

}  // namespace tare::inner::render
