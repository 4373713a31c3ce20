// Before and after, for every calibrator.
#include <fmt/format.h>

#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/render/html/page.hpp"
#include "tare/render/pictures/plots.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {
namespace {

std::string numbers(const Comparison& c) {
  return page_table("calibrators-table", "All calibrators on the same test rows", methods_table(c, Reader::page),
                    [&](std::size_t i) { return c.methods[i].method == c.winner.method; })
      .str();
}

std::string changes(const Comparison& c, const std::string& against) {
  auto rows = all_rows(c.methods);
  std::erase_if(rows, [&](const MethodResult* m) { return !difference(*m, criteria.front().criterion, against); });
  if (rows.empty()) return "";
  const bool before = against == "uncalibrated";
  return page_table(before ? "changes-table" : "changes-against-winner",
                    before ? "After minus before; negative is better"
                           : "Minus " + against + ", which is recommended; positive is worse",
                    changes_table(rows, against, criteria),
                    [&](std::size_t i) { return rows[i]->method == c.winner.method; })
      .str();
}

const Measured* drawn_estimate(const MethodResult& m) {
  for (const Measured& e : m.estimates)
    if (e.estimate && !e.estimate->per_bin.empty() && e.estimate->per_bin.size() <= 200) return &e;
  return nullptr;
}

// Small diagrams: before once, then after each calibrator, what is recommended first.
std::string afters(const Comparison& c) {
  const auto raw = std::ranges::find_if(c.methods, [](const MethodResult& m) { return m.method == "uncalibrated"; });
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
  for (const MethodResult& m : c.methods)
    for (const std::string& note : method_notes(m)) out += fmt::format("<li>{}: {}</li>\n", xml(m.method), xml(note));
  return out.empty() ? "" : "<ul class=\"notes\">\n" + out + "</ul>\n";
}

// The recommended calibrator: curves before and after it in one frame, and what it makes of every score.
std::string winner_figures(const Report& report) {
  std::string out;
  if (report.before_after) {
    const BeforeAfter& both = *report.before_after;
    out += figure_html({.name = "before-after",
                        .picture = before_after_svg(both, false),
                        .caption = fmt::format("Before and after {}, which is recommended.", xml(both.method)),
                        .csv = page_csv(table(std::vector{both.before, both.after}))});
  }
  if (report.map) {
    out += figure_html({.name = "map",
                        .picture = *svg(*report.map, false),
                        .caption = fmt::format("What {} makes of every score, over the hit rates of the test rows.",
                                               xml(report.map->method)),
                        .csv = page_csv(table(*report.map))});
  }
  return out.empty() ? "" : "<div class=\"two\">\n" + out + "</div>\n";
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
    body += "<p>To fit it and apply it to new data:</p>\n" +
            code_block(fmt::format("{}", fmt::join(report.apply, "\n")), "commands that fit and apply it");
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
                                c.interval, grouped(c.resamples)),
                    "notes");
  return section("calibrators", "Calibrators, before and after", body + remarks(c));
}

}  // namespace tare::detail::render
