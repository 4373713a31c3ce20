#include "tare/render/html/page.hpp"

#include <fmt/format.h>

#include <cmath>

#include <tare/version.hpp>
#include "tare/core/names.hpp"
#include "tare/render/html/html.hpp"
#include "tare/render/html/page_parts.hpp"
#include "tare/render/svg/svg.hpp"
#include "tare/render/text/layout.hpp"
#include "tare/render/words/conclusion.hpp"
#include "tare/render/words/recommendation.hpp"

namespace tare::inner::render {
namespace {

std::string points(double fraction) {
  const std::string value = visible(100 * std::abs(fraction), 1);
  return value + (value == "1.0" ? " point" : " points");
}

std::string interval_words(const MeanGap& gap) {
  if (!gap.low || !gap.high) return "";
  const double sign = gap.value < 0 ? -1 : 1;
  const double a = 100 * sign * *gap.low, b = 100 * sign * *gap.high;
  return fmt::format(" (95% interval {} to {})", visible(std::min(a, b), 1), visible(std::max(a, b), 1));
}

std::string noise_words(const Report& report, const Measured& ref) {
  const std::string n = "n = " + grouped(static_cast<double>(report.survey.input.n));
  if (!ref.floor || !ref.floor_high)
    return fmt::format("what a perfectly calibrated model would show at {} was not computed", n);
  return fmt::format("at {} a perfectly calibrated model would show {}%, and stay below {}% in 95 of 100 samples", n,
                     percent(*ref.floor), percent(*ref.floor_high));
}

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
  if (m->floor_high) below = "if calibrated, below " + shown_number(*m, *m->floor_high);
  return tile(label, shown_number(*m, m->estimate->value), below);
}

std::string word_for(const Measured& m) {
  return m.about.short_title.empty() ? m.name : std::string(m.about.short_title);
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
  const auto true_error = [&](std::string_view words, const Measured* m) {
    if (m)
      out += tile(named(words, *m), shown_number(*m, m->estimate->value),
                  fmt::format("95% interval {} to {}", shown_number(*m, *m->low), shown_number(*m, *m->high)));
  };
  true_error("True mean gap", mean_gap_of(s));
  true_error("True root mean square gap", headline_of(s));
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

std::string verdict_mark(Judgement verdict) {
  switch (verdict) {
    case Judgement::none:
      return "";
    case Judgement::within_noise:
      return "<span class=\"good\">≈ within noise</span>";
    case Judgement::miscalibrated:
      return "<span class=\"warn\">▲ miscalibrated</span>";
    case Judgement::strongly_miscalibrated:
      return "<span class=\"bad\">▲▲ strongly miscalibrated</span>";
  }
  return "";
}

std::string counted(double rows, bool weighted) {
  return grouped(rows) + (weighted ? " of weight" : rows == 1 ? " row" : " rows");
}

std::string verdict_sentence(const Report& report) {
  const Survey& s = report.survey;
  const bool top = s.input.reduction == Reduction::top_label;
  const std::string who = top ? "Confidences" : "Predicted probabilities";
  const Measured* ref = reference(s);
  const bool side = report.gap.low && report.gap.high && (*report.gap.low > 0 || *report.gap.high < 0);
  std::string out =
      side ? fmt::format("{} are {} too {} on average{}", who, points(report.gap.value),
                         report.gap.value > 0 ? "high" : "low", interval_words(report.gap))
           : fmt::format("{} are neither too high nor too low on average (they differ from {} by {}{})", who,
                         top ? "accuracy" : "the observed rate", points(report.gap.value),
                         report.gap.low ? fmt::format(", 95% interval {} to {}", signed_percent(*report.gap.low),
                                                      signed_percent(*report.gap.high))
                                        : "");
  if (!ref) return out + ".";
  const bool noise = ref->verdict == Judgement::within_noise;
  const std::string value =
      fmt::format("the calibration error ({}) is {}", word_for(*ref), shown_number(*ref, ref->estimate->value));
  out += noise ? (side ? ", but " : ", and ") + value + ", which is within noise: " : "; " + value + ", and ";
  return out + noise_words(report, *ref) + ".";
}

std::string page(const Report& report) {
  const InputInfo& in = report.survey.input;
  const std::string source = in.source.empty() ? "predictions" : in.source;
  const std::vector<Entry> entries{{"diagram", "Diagram", reliability_section(report)},
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
                     xml(verdict_sentence(report)));
  out += paragraph(headline(report.survey), "winner");
  if (report.comparison) out += paragraph(recommendation(*report.comparison), "winner");
  out += tiles(report);
  for (const Entry& e : entries) out += e.html;
  out += fmt::format("</main>\n<footer>{}</footer>\n<script>\n\n{}</script>\n</body>\n</html>\n",
                     paragraph("Written by tare " TARE_VERSION ". This file needs no network."), page_script);
  return out;
}

}  // namespace tare::inner::render
