#include "tare/render/html/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <tare/version.hpp>
#include "tare/core/names.hpp"
#include "tare/render/html/html.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"

namespace tare::detail::render {
namespace {

std::string facts_line(const Report& report) {
  const InputInfo& in = report.survey.input;
  const std::string_view meaning = in.reduction == Reduction::top_label
                                       ? "the confidence of the predicted class, hit or miss"
                                       : "the probability of class 1, and the label";
  std::string out = "n = " + grouped(in.n);
  if (in.weighted) out += " (weights sum to " + grouped(in.total_weight) + ")";
  if (in.k > 0) out += fmt::format(" · K = {} classes", grouped(in.k));
  out += fmt::format(" · from {} · {}: {}", name(in.kind), name(in.reduction), meaning);
  if (!in.used.empty()) out += " · " + in.used;
  if (!in.note.empty()) out += " · note: " + in.note;
  const std::string& file = report.file.empty() ? in.source : report.file;
  return fmt::format("<p class=\"facts\">{}{}{}</p>\n",
                     file.empty() ? "" : "Model: ", file.empty() ? "" : isolated(file) + " · ", xml(out));
}

// Of a path only the end: the line below has all of it.
std::string title_of(const Report& report) {
  const std::string& source = report.survey.input.source;
  if (source.empty()) return "predictions";
  const auto slash = report.file.empty() ? source.rfind('/') : std::string::npos;
  return slash == std::string::npos || slash + 1 == source.size() ? source : source.substr(slash + 1);
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

struct PageSection {
  const char* id;
  const char* title;
  std::string html;
};

std::string contents(const std::vector<PageSection>& entries) {
  std::string out = "<nav aria-label=\"Sections\"><ul>";
  for (const PageSection& e : entries)
    if (!e.html.empty()) out += fmt::format("<li><a href=\"#{}\">{}</a></li>", e.id, e.title);
  return out + "</ul></nav>\n";
}

// The hatchings small pictures refer to, in a picture without extent.
std::string patterns() {
  Svg svg(0, 0, "", "");
  svg.hatch(std::string(page_patterns) + "-over", palette::ground.light, palette::over.light, false);
  svg.hatch(std::string(page_patterns) + "-under", palette::under_ground.light, palette::under.light, true);
  return "<div class=\"patterns\" aria-hidden=\"true\">" + svg.str() + "</div>\n";
}

std::string answer(const Report& report) {
  const auto& test = report.survey.test;
  std::string out = fmt::format("<p class=\"verdict {}\" role=\"note\" aria-label=\"Verdict\">{}</p>\n",
                                test ? name(test->verdict.outcome) : "", xml(conclusion(report.survey)));
  if (test) out += paragraph(headline(test->verdict));
  out += paragraph(disagreement(report.survey));
  if (report.comparison) out += paragraph(recommendation(*report.comparison));
  return "<div class=\"answer\">\n" + out + "</div>\n";
}

std::vector<PageSection> sections(const Report& report) {
  std::vector<PageSection> out{{"groups", "Groups", groups_section(report)},
                               {"calibrators", "Calibrators", calibrators_section(report)},
                               {"estimators", "Estimators", estimators_section(report)},
                               {"rows", "Where the rows are", rows_section(report)},
                               {"classes", "Classes", classes_section(report)},
                               {"scores", "Scores", scores_section(report)}};
  // Where nothing was found the next question is what could have been.
  const bool found = report.survey.test && report.survey.test->verdict.outcome == Outcome::miscalibrated;
  out.insert(found ? out.end() : out.begin(), {"detection", "What n can tell", detection_section(report)});
  out.push_back({"method", "How it was computed", method_section(report)});
  out.push_back({"citation", "Citation", citation_section(report)});
  return out;
}

}  // namespace

std::string judgement_mark(Judgement judgement) {
  if (judgement == Judgement::none) return "";
  return judgement == Judgement::within_noise ? "<span class=\"good\">≈ within noise</span>"
                                              : "<span class=\"warn\">▲ above noise</span>";
}

std::string whole_style() {
  std::vector<Colour> colours;
  const auto add = [&](const Colour& c) {
    if (c.light != c.dark && std::ranges::find(colours, c) == colours.end()) colours.push_back(c);
  };
  for (const auto& role : palette::roles) add(role.colour);
  for (const Style& look : palette::series) add(look.colour);
  std::string out(page_style);
  out += "@media screen and (prefers-color-scheme:dark){\n";
  for (const Colour& c : colours)
    out += fmt::format("svg [fill=\"{0}\"]{{fill:{1}}}svg [stroke=\"{0}\"]{{stroke:{1}}}\n", c.light, c.dark);
  return out + "}\n";
}

std::string bins_csv(const std::vector<Bin>& bins) {
  std::string out = "from,to,rows,mean score,mean label\n";
  for (const Bin& b : bins)
    out += fmt::format("{:.10g},{:.10g},{:.10g},{:.10g},{:.10g}\n", 100 * b.lower, 100 * b.upper, b.count,
                       100 * b.mean_score, 100 * b.mean_label);
  return out;
}

std::string page(const Report& report) {
  const std::string title = title_of(report);
  const std::vector<PageSection> entries = sections(report);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src "
      "'unsafe-inline'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"tare " TARE_VERSION "\">\n";
  out += fmt::format("<title>Calibration of {}</title>\n<style>\n\n{}</style>\n</head>\n<body>\n", xml(title),
                     whole_style());
  out += "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n" + patterns();
  out += fmt::format("<header>\n<p class=\"kind\">Calibration report{}</p>\n<h1>{}</h1>\n{}{}</header>\n",
                     report.date.empty() ? "" : " · " + xml(report.date), isolated(title), facts_line(report),
                     contents(entries));
  out += "<main id=\"main\">\n<div class=\"first\">\n" + answer(report) + reliability_panels(report) + tiles(report) +
         "</div>\n";
  for (const PageSection& e : entries) out += e.html;
  out += fmt::format("</main>\n<footer>{}</footer>\n<script>\n\n{}</script>\n</body>\n</html>\n",
                     paragraph("Written by tare " TARE_VERSION ". This file needs no network."), page_script);
  return out;
}

}  // namespace tare::detail::render
