#include "tare/render/html/page.hpp"

#include <fmt/format.h>

#include <tare/version.hpp>
#include "tare/core/names.hpp"
#include "tare/render/html/html.hpp"
#include "tare/render/html/page_parts.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/words/conclusion.hpp"
#include "tare/render/words/recommendation.hpp"
#include "tare/render/words/verdict.hpp"

namespace tare::inner::render {
namespace {

std::string facts_line(const InputInfo& in) {
  const std::string_view meaning = in.reduction == Reduction::top_label
                                       ? "the confidence of the predicted class, hit or miss"
                                       : "the probability of class 1, and the label";
  std::string out = "n = " + grouped(static_cast<double>(in.n));
  if (in.weighted) out += " (weights sum to " + grouped(in.total_weight) + ")";
  if (in.k > 0) out += fmt::format(" · K = {} classes", grouped(static_cast<double>(in.k)));
  out += fmt::format(" · from {} · {}: {}", name(in.kind), name(in.reduction), meaning);
  return in.note.empty() ? out : out + " · note: " + in.note;
}

std::string tile(std::string_view label, const std::string& value, const std::string& below) {
  return fmt::format("<div class=\"tile\"><dt>{}</dt><dd><strong>{}</strong><span>{}</span></dd></div>\n", xml(label),
                     xml(value), xml(below));
}

std::string tile_of(std::string_view label, const Measured* m) {
  if (!m || !m->estimate) return "";
  std::string below = m->low && m->high
                          ? fmt::format("95% interval {} to {}", shown_number(*m, *m->low), shown_number(*m, *m->high))
                          : "";
  if (m->floor_high) below = fmt::format("up to {} by chance", shown_number(*m, *m->floor_high));
  return tile(label, shown_number(*m, m->estimate->value), below);
}

// "ECE (ece_ew, l1)"
std::string named(std::string_view words, const Measured& m) {
  return fmt::format("{} ({}{})", words, m.name, m.norm ? fmt::format(", l{}", *m.norm) : "");
}

std::string tiles(const Report& report) {
  const Survey& s = report.survey;
  const bool top = s.input.reduction == Reduction::top_label;
  std::string out = "<dl class=\"tiles\">\n";
  out += tile_of(top ? "Accuracy" : "Observed rate", find(s, &Roles::mean_label));
  out += tile_of(top ? "Mean confidence" : "Mean probability", find(s, &Roles::mean_score));
  const Measured* ref = reference(s);
  if (ref) out += tile_of(ref->about.short_title.empty() ? ref->name : named(ref->about.short_title, *ref), ref);
  const auto estimated = [&](std::string_view words, const ErrorRange& r) {
    if (r.value && r.low && r.high)
      out += tile(fmt::format("{} ({})", words, r.estimator), percent(*r.value) + "%",
                  fmt::format("95% interval {}% to {}%", percent(*r.low), percent(*r.high)));
  };
  if (s.test) {
    estimated("Mean gap, estimated", s.test->verdict.mean);
    estimated("Root mean square gap, estimated", s.test->verdict.square);
  }
  return out + "</dl>\n";
}

struct Entry {
  const char* id;
  const char* title;
  std::string html;
};

std::string contents(const std::vector<Entry>& entries) {
  std::string out = "<nav aria-label=\"Sections\"><ul>";
  for (const Entry& e : entries)
    if (!e.html.empty()) out += fmt::format("<li><a href=\"#{}\">{}</a></li>", e.id, e.title);
  return out + "</ul></nav>\n";
}

// The hatchings small pictures refer to, in a picture without extent.
std::string patterns() {
  Svg svg(0, 0, "", "");
  svg.hatch(std::string(page_patterns) + "-over", "#fff", "#b22222", false);
  svg.hatch(std::string(page_patterns) + "-under", "#dbe9f6", "#1f4e79", true);
  return "<div class=\"patterns\" aria-hidden=\"true\">" + svg.str() + "</div>\n";
}

}  // namespace

std::string shown_number(const Measured& m, double value) {
  return is_fraction(m) ? percent(value) + "%" : visible(value, 4);
}

std::string judgement_mark(Judgement judgement) {
  switch (judgement) {
    case Judgement::none:
      return "";
    case Judgement::within_noise:
      return "<span class=\"good\">≈ within noise</span>";
    case Judgement::above_noise:
      return "<span class=\"warn\">▲ above noise</span>";
  }
  return "";
}

std::string counted(double rows, bool weighted) {
  return grouped(rows) + (weighted ? " of weight" : rows == 1 ? " row" : " rows");
}

std::string page(const Report& report) {
  const InputInfo& in = report.survey.input;
  const std::string source = in.source.empty() ? "predictions" : in.source;
  const std::vector<Entry> entries{{"diagram", "Diagram", reliability_section(report)},
                                   {"groups", "Groups", groups_section(report)},
                                   {"calibrators", "Calibrators", calibrators_section(report)},
                                   {"estimators", "Estimators", estimators_section(report)},
                                   {"scores", "Scores", scores_section(report)},
                                   {"classes", "Classes", classes_section(report)},
                                   {"detection", "What n can tell", detection_section(report)},
                                   {"method", "How it was computed", method_section(report)},
                                   {"citation", "Citation", citation_section(report)}};
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src "
      "'unsafe-inline'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"tare " TARE_VERSION "\">\n";
  out += fmt::format("<title>Calibration of {}</title>\n<style>\n\n{}</style>\n</head>\n<body>\n", xml(source),
                     page_style);
  out += "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n" + patterns();
  out += fmt::format("<header>\n<p class=\"kind\">Calibration report</p>\n<h1>{}</h1>\n{}{}</header>\n",
                     isolated(source), paragraph(facts_line(in), "facts"), contents(entries));
  out += fmt::format("<main id=\"main\">\n<p class=\"verdict\" role=\"note\" aria-label=\"Verdict\">{}</p>\n",
                     xml(conclusion(report.survey)));
  if (report.survey.test) out += paragraph(headline(report.survey.test->verdict), "winner");
  if (const std::string why = disagreement(report.survey); !why.empty()) out += paragraph(why, "winner");
  if (report.comparison) out += paragraph(recommendation(*report.comparison), "winner");
  out += tiles(report);
  for (const Entry& e : entries) out += e.html;
  out += fmt::format("</main>\n<footer>{}</footer>\n<script>\n\n{}</script>\n</body>\n</html>\n",
                     paragraph("Written by tare " TARE_VERSION ". This file needs no network."), page_script);
  return out;
}

}  // namespace tare::inner::render
