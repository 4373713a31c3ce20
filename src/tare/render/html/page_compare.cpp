// Before and after, for every calibrator.
#include <fmt/format.h>

#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/render/html/html.hpp"
#include "tare/render/html/page_parts.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/svg/small_svg.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/table/tables.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

HtmlCell change_cell(const Difference* d) {
  if (!d) return "";
  const double factor = about(d->criterion).factor;
  const int digits = about(d->criterion).digits;
  const std::string_view sign = d->change == Change::better ? "good" : d->change == Change::worse ? "bad" : "";
  const std::string_view mark = d->change == Change::better  ? "▼ better"
                                : d->change == Change::worse ? "▲ worse"
                                                             : "≈ noise";
  const auto number = [&](double x) { return signed_number(x * factor, digits, d->change != Change::noise); };
  return {fmt::format("<span class=\"nowrap\">{} [{}, {}] <span class=\"{}\">{}</span></span>", number(d->value),
                      number(d->low), number(d->high), sign, mark),
          {d->value * factor, d->low * factor, d->high * factor}};
}

std::string numbers(const Comparison& c) {
  return page_table("calibrators-table", "All calibrators on the same test rows", methods_table(c, Reader::page),
                    [&](std::size_t i) { return c.methods[i].method == c.winner.method; })
      .str();
}

std::string changes(const Comparison& c, const std::string& against) {
  std::vector<HtmlTable::Column> columns{{"calibrator"}};
  for (const CriterionInfo& criterion : criteria) {
    const std::string title(criterion.title);
    columns.push_back({title, false, {title, title + ", low", title + ", high"}});
  }
  const bool before = against == "uncalibrated";
  HtmlTable table(before ? "changes-table" : "changes-against-winner",
                  before ? "After minus before; negative is better"
                         : "Minus " + against + ", which is recommended; positive is worse",
                  columns);
  for (const MethodResult& m : c.methods) {
    if (!difference(m, criteria.front().criterion, against)) continue;
    std::vector<HtmlCell> cells{xml(m.method)};
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

// Small diagrams: before once, then after each calibrator, what is recommended first.
std::string afters(const Comparison& c) {
  const auto raw = std::find_if(c.methods.begin(), c.methods.end(),
                                [](const MethodResult& m) { return m.method == "uncalibrated"; });
  const Measured* before = raw == c.methods.end() ? nullptr : drawn_estimate(*raw);
  if (!before) return "";
  const auto noise = [](const Measured& m) {
    return m.floor_high ? "; if calibrated, below " + shown_number(m, *m.floor_high) : std::string();
  };
  std::vector<const CurveBand*> curves;
  for (const MethodResult& m : c.methods)
    if (m.curve) curves.push_back(&*m.curve);
  const auto one = [&](const MethodResult& method, const Measured& m, const std::string& name, const std::string& title,
                       const std::string& caption, bool wins) {
    const std::string value = m.name + " " + shown_number(m, m.estimate->value) + noise(m);
    const SmallPicture words{
        .title = title, .description = value, .patterns = page_patterns, .reduction = c.test.reduction};
    return figure_html({.name = name,
                        .picture = method.curve ? small_curve_svg(*method.curve, curves, words)
                                                : small_reliability_svg(m.estimate->per_bin, words),
                        .caption = caption + "<br>" + xml(value),
                        .csv = method.curve ? curve_csv(*method.curve) : bins_csv(m.estimate->per_bin),
                        .css_class = wins ? "best" : ""});
  };
  std::string out = curves.empty() ? "" : paragraph(small_curves_words(curves));
  out += "<div class=\"small\">\n" + one(*raw, *before, "before", "Reliability before", "<b>before</b>", false);
  for (const MethodResult& m : c.methods) {
    const Measured* after = m.method == "uncalibrated" ? nullptr : drawn_estimate(m);
    if (!after) continue;
    const bool wins = m.method == c.winner.method;
    const Difference* d = difference(m, Criterion::brier, "uncalibrated");
    const std::string change =
        d ? fmt::format("Brier {}, {}; ", signed_number(d->value, 4, d->change != Change::noise), name(d->change)) : "";
    out += one(m, *after, "after-" + m.method, "Reliability after " + m.method,
               fmt::format("<b>{}</b>{}<br>{}", xml(m.method), wins ? " (recommended)" : "", change), wins);
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
  if (!report.comparison) return "";
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
  body += "<h3>Before and after</h3>\n" + winner_figures(report) + afters(c) + numbers(c) +
          paragraph("≈: within noise, no more than 95 of 100 perfectly calibrated models would show.", "notes");
  body += "<h3>Is the difference real?</h3>\n";
  if (const auto picture = compare_svg(c, {.criterion = c.winner.criterion, .heading = false}))
    body += figure_html({.name = "compare",
                         .picture = *picture,
                         .caption = fmt::format("Change in {}. Intervals hold for all calibrators at once.",
                                                about(c.winner.criterion).title),
                         .table = "changes-table"});
  body += changes(c, "uncalibrated");
  if (c.winner.method != "uncalibrated")
    body += details("Every calibrator against " + c.winner.method, changes(c, c.winner.method));
  body += paragraph(fmt::format("Intervals: {}, {} resamples; a difference whose interval holds 0 is called noise.",
                                c.interval, grouped(static_cast<double>(c.resamples))),
                    "notes");
  return section("calibrators", "Calibrators, before and after", body + remarks(c));
}

}  // namespace tare::detail::render
