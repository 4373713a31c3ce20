// The tables of numbers: every estimator with its noise and bias, decompositions of scores, tests, and how all of it
// was made.
#include <fmt/format.h>

#include <algorithm>

#include <tare/version.hpp>
#include "tare/render/html/page.hpp"
#include "tare/render/pictures/plots.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {
namespace {

std::string list_of(const SharedNotes& notes) {
  std::string out;
  for (const auto& [note, who] : notes.all()) out += fmt::format("<li>{}: {}</li>\n", xml(who), xml(note));
  return out.empty() ? "" : "<ul class=\"notes\">\n" + out + "</ul>\n";
}

std::string bias_note(const Report& report) {
  if (!report.bias) return paragraph("Bias was not computed: " + report.bias_reason + ".", "notes");
  const SimTable& t = report.bias->table;
  std::string truth = t.truth.scores == "beta" ? fmt::format("scores Beta({:.4g}, {:.4g})", t.truth.alpha.value_or(0),
                                                             t.truth.beta.value_or(0))
                                               : "the data's own scores";
  truth += ", calibration curve " + t.truth.curve.substr(0, t.truth.curve.find(':'));
  std::string out = paragraph(
      fmt::format(
          "Bias: the mean estimate minus the true error, on {} samples of this n from a model fitted to these data "
          "({}). Corrected: the true error whose mean estimate is the measured value.",
          grouped(t.replicates), truth),
      "notes");
  const std::string fits = description(*report.bias);
  return fits.empty() ? out : out + paragraph(fits, "notes");
}

std::string estimators_figure(const Report& report) {
  const auto picture = estimators_svg(report.survey, {.bias = report.bias ? &*report.bias : nullptr, .heading = false});
  if (!picture) return "";
  return figure_html({.name = "estimators",
                      .picture = *picture,
                      .caption = "Each estimator with what chance would show, its interval where there is a valid one, "
                                 "and its corrected value. All are estimates of one true error, or meant to be.",
                      .table = "estimators-table"});
}

std::string detectable_figure(const Report& report) {
  if (!report.detectable) return "";
  const auto picture = svg(*report.detectable, false);
  if (!picture) return "";
  return figure_html(
      {.name = "detectable",
       .picture = *picture,
       .caption = "The smallest error that the test finds in 95 of 100 samples, for other numbers of rows "
                  "with the same scores.",
       .numbers = page_table("detectable-numbers", "The smallest error that is found in 95 of 100 samples, in percent",
                             table(report.detectable->points))
                      .str()});
}

std::string bins_figure(const Report& report) {
  if (!report.bin_choice || report.bin_choice->lines.empty()) return "";
  return "<h3>Does the number of bins matter?</h3>\n" +
         figure_html(
             {.name = "bins",
              .picture = *svg(*report.bin_choice, false),
              .caption = "Binned errors against the number of bins, and against the number of rows (random parts "
                         "of the data), each over what a calibrated model would show.",
              .numbers = page_table("bin-choice-numbers", "Errors by the number of bins and of rows, in percent",
                                    table(*report.bin_choice))
                             .str()});
}

}  // namespace

std::string estimators_section(const Report& report) {
  auto rows = all_rows(report.survey.measured);
  std::erase_if(rows, [](const Measured* m) { return m->class_index.has_value(); });
  const Measured* ref = reference(report.survey);
  const HtmlTable table = page_table("estimators-table", "Every estimator on the same rows",
                                     estimates_table(rows, Reader::page, {}, report.bias ? &*report.bias : nullptr),
                                     [&](std::size_t i) { return rows[i] == ref; });
  SharedNotes notes;
  for (const Measured* at : rows) {
    const Measured& m = *at;
    const Correction* c = report.bias ? correction_of(*report.bias, m) : nullptr;
    if (!m.estimate) notes.add("n/a, " + m.reason, m.name);
    if (!m.interval.empty()) notes.add("interval: " + m.interval, m.name);
    if (c && c->bias && !c->corrected && !c->reason.empty()) notes.add(c->reason, m.name);
    if (m.estimate && !m.interval_reason.empty()) notes.add(m.interval_reason, m.name);
    if (m.estimate && !m.scope.empty() && report.survey.input.k > 2) notes.add(m.scope + " score", m.name);
  }
  std::string reading =
      "No estimator is 0 for a perfect model, so each stands beside what it would show if the model were perfectly "
      "calibrated: "
      "the mean, and the quantile that 95 of 100 samples stay below";
  if (report.survey.resamples > 0)
    reading += fmt::format(" (up to {} redrawings of the labels from the scores, seed {})",
                           grouped(report.survey.resamples), report.survey.seed);
  std::string extra;
  for (const std::string& note : report.survey.notes) extra += paragraph(note, "notes");
  return section(
      "estimators", "All estimators",
      paragraph(reading +
                ". The line in bold is the one people quote; the verdict is that of one test (What n can tell).") +
          estimators_figure(report) + table.str() + bias_note(report) + extra +
          details("Intervals, scopes and what is missing", list_of(notes)) + bins_figure(report));
}

std::string scores_section(const Report& report) {
  struct Meaning {
    const char* part;
    const char* meaning;
  };
  static constexpr Meaning meanings[] = {
      {"reliability", "lost by miscalibration (binned); smaller is better"},
      {"resolution", "gained by telling rows apart (binned); larger is better"},
      {"uncertainty", "the score of always predicting the base rate"},
      {"within_bin", "what the bins hide: spread of scores inside them"},
      {"brier_mcb", "CORP miscalibration of the Brier score; smaller is better"},
      {"brier_dsc", "CORP discrimination of the Brier score; larger is better"},
      {"brier_unc", "Brier score of the base rate"},
      {"log_mcb", "CORP miscalibration of the log score; smaller is better"},
      {"log_dsc", "CORP discrimination of the log score; larger is better"},
      {"log_unc", "log score of the base rate"},
  };
  HtmlTable table("scores-table", "Decompositions", {{"score"}, {"part"}, {"value", true}, {"meaning"}});
  for (const Measured& m : report.survey.measured) {
    if (m.class_index || !m.estimate || is_fraction(m)) continue;
    for (const Component& p : m.estimate->parts) {
      const auto known = std::ranges::find_if(meanings, [&](const Meaning& w) { return p.name == w.part; });
      table.add({"<code>" + xml(m.name) + "</code>",
                 xml(p.name),
                 {fixed(p.value, 5), p.value},
                 known == std::end(meanings) ? "" : known->meaning});
    }
  }
  if (table.empty()) return "";
  return section("scores", "Score decompositions",
                 paragraph("A proper score is miscalibration minus discrimination plus uncertainty: how much of it is "
                           "calibration, and how much "
                           "is telling rows apart. Only the first part can be repaired by a calibrator.") +
                     table.str());
}

std::string detection_section(const Report& report) {
  if (!report.survey.test) return "";
  const TestReport& t = *report.survey.test;
  const HtmlTable table = page_table("tests-table", "Tests of calibration", tests_table(t, Reader::page));
  SharedNotes notes;
  for (const TestResult& r : t.tests) {
    if (!r.statistic) notes.add((r.p_value ? "" : "n/a, ") + r.reason, r.name);
    if (r.evidence) notes.add(part_words(r), r.name);
  }
  return section("detection", "What this n can tell",
                 paragraph(test_conclusion(t)) + (t.detectable ? paragraph(detectable_words(t)) : "") +
                     detectable_figure(report) + table.str() + paragraph(p_meaning(t) + ".", "notes") + list_of(notes));
}

std::string method_section(const Report& report) {
  std::string list = "<dl class=\"settings\">\n";
  const auto line = [&](std::string_view key, const std::string& html) {
    list += fmt::format("<dt>{}</dt><dd>{}</dd>\n", xml(key), html);
  };
  line("program", "tare " TARE_VERSION);
  line("input", isolated(report.file.empty() ? report.survey.input.source : report.file));
  if (!report.date.empty()) line("written", xml(report.date));
  for (const auto& setting : report.settings) line(setting.first, isolated(setting.second));
  list += "</dl>\n";
  HtmlTable table("sources-table", "Where each estimator comes from", {{"estimator"}, {"what it says"}, {"source"}});
  for (const EstimatorInfo& a : report.about)
    table.add({"<code>" + xml(a.name) + "</code>", xml(a.summary), xml(a.citation)});
  std::string body = paragraph(
      "The same command on the same data gives this page again, to the last bit, whatever the number of threads (the "
      "date and the times of fits excepted).");
  if (!report.command.empty()) body += code_block(report.command, "command line");
  // Sections that have nothing to show are not there; here is why.
  if (!report.comparison && !report.comparison_reason.empty())
    list += paragraph("Calibrators were not compared: " + report.comparison_reason + ".", "notes");
  if (!report.classes && !report.classes_reason.empty() && report.classes_reason != "not asked for")
    list += paragraph("No classes are shown: " + report.classes_reason + ".", "notes");
  return section("method", "How it was computed",
                 body + list + (table.empty() ? "" : details("Estimators and their sources", table.str())));
}

std::string citation_section(const Report&) {
  return section(
      "citation", "Citation",
      paragraph("For the number itself cite its source from the table above; for the program:") +
          code_block("@software{tare,\n"
                     "  title   = {tare: measuring, testing and repairing the calibration of classifiers},\n"
                     "  version = {" TARE_VERSION "},\n"
                     "  note    = {Estimators after Guo et al. 2017 (ICML) and Roelofs et al. 2022 (AISTATS)}\n"
                     "}",
                     "citation"));
}

}  // namespace tare::detail::render
