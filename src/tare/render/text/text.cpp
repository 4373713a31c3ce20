
#include <fmt/format.h>

#include <algorithm>

#include "tare/core/names.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/table/table.hpp"
#include "tare/render/text/charts.hpp"

namespace tare::detail::render {
namespace {

std::string number(const Measured& m, double value) { return is_fraction(m) ? percent(value) : visible(value, 4); }

std::string value_of(const Measured& m) { return m.estimate ? number(m, m.estimate->value) : "n/a"; }

std::string noise_of(const Measured& m) {
  return m.floor && m.floor_high ? number(m, *m.floor) + "–" + number(m, *m.floor_high) : "";
}

std::string chance_of(const Measured& m) { return m.floor_high ? "up to " + number(m, *m.floor_high) : ""; }

std::string interval_of(const Measured& m) {
  return m.low && m.high ? number(m, *m.low) + "–" + number(m, *m.high) : "";
}

Cell judgement_of(const Measured& m) {
  return {std::string(name(m.judgement)), m.judgement == Judgement::within_noise ? Ink::green : Ink::yellow};
}

// The five numbers that people quote.
std::string quoted_table(const Survey& survey, const TextOptions& options) {
  const Measured* ref = reference(survey);
  std::string missing;
  Table table({{"what people quote"}, {"value", true}, {"by chance", true}, {"95% interval", true}});
  for (const Measured& m : survey.measured) {
    if (m.class_index || !(m.about.roles.quoted_score || &m == ref)) continue;
    const std::string scope = m.scope.empty() ? "" : " (" + m.scope + ")";
    const std::string ece =
        m.about.short_title.empty() ? m.name : fmt::format("{}, {}", m.about.short_title, label_of(m));
    table.add({{(&m == ref ? ece : name_of(m, survey.input.reduction)) + scope + (is_fraction(m) ? ", %" : "")},
               {value_of(m)},
               {chance_of(m), Ink::dim},
               {interval_of(m)}});
    if (!m.estimate) missing += wrap(fmt::format("n/a: {} ({})", printable(m.reason), m.name), options.width);
  }
  return table.empty() ? "" : table.str(options.colour, options.width) + missing + "\n";
}

// Estimators with a norm: l1 and l2 side by side, on two lines where only one is above its noise, or intervals exist.
std::string normed_table(const Survey& survey, const TextOptions& options) {
  Table table({{"error, %"},
               {"l1", true},
               {"noise", true, true},
               {"l2", true},
               {"noise", true, true},
               {"interval", true},
               {""}});
  const Measured* previous = nullptr;
  const Measured* waiting = nullptr;  // an l1 line that may share its row with the l2 line after it
  const auto add = [&](const Measured* l1, const Measured* l2, const Cell& verdict) {
    const Measured& first = l1 ? *l1 : *l2;
    const bool repeats = previous && previous->name == first.name;
    previous = &first;
    table.add({{repeats ? "" : first.name},
               {l1 ? value_of(*l1) : ""},
               {l1 ? noise_of(*l1) : "", Ink::dim},
               {l2 ? value_of(*l2) : ""},
               {l2 ? noise_of(*l2) : "", Ink::dim},
               {interval_of(first)},
               verdict});
  };
  for (const Measured& m : survey.measured) {
    if (!m.norm || m.class_index) continue;
    if (waiting && waiting->name == m.name && m.norm == 2 && !waiting->low && !m.low &&
        waiting->judgement == m.judgement) {
      add(waiting, &m, judgement_of(m));
      waiting = nullptr;
      continue;
    }
    if (waiting) add(waiting, nullptr, judgement_of(*waiting));
    waiting = m.norm == 1 ? &m : nullptr;
    if (m.norm == 2) add(nullptr, &m, judgement_of(m));
  }
  if (waiting) add(waiting, nullptr, judgement_of(*waiting));
  return table.empty() ? "" : table.str(options.colour, options.width) + "\n";
}

// With a bias, every norm has a line of its own.
std::string bias_table(const Survey& survey, const BiasReport& bias, const TextOptions& options) {
  auto rows = all_rows(survey.measured);
  std::erase_if(rows, [](const Measured* m) { return !m->norm || m->class_index; });
  if (rows.empty()) return "";
  return text_table(estimates_table(rows, Reader::terminal, {}, &bias)).str(options.colour, options.width) + "\n";
}

// The others: errors without a norm, means and scores.
std::string plain_table(const Survey& survey, const TextOptions& options) {
  Table table({{"other"}, {"value", true}, {"noise", true, true}, {"interval", true}, {""}});
  std::string parts;
  for (const Measured& m : survey.measured) {
    if (m.norm || m.class_index) continue;
    const std::string scope = m.scope.empty() ? "" : " (" + m.scope + ")";
    table.add({{name_of(m, survey.input.reduction) + scope + (is_fraction(m) ? ", %" : "")},
               {value_of(m)},
               {noise_of(m), Ink::dim},
               {interval_of(m)},
               judgement_of(m)});
    if (!m.estimate || m.estimate->parts.empty()) continue;
    for (const std::string& sum : sums_of(m)) parts += wrap(sum, options.width);
  }
  return table.empty() ? "" : table.str(options.colour, options.width) + parts + "\n";
}

// What the tables leave out: what noise means, and why something is missing. Lines with one reason share one note.
std::string notes(const Survey& survey, const TextOptions& options, const BiasReport* bias) {
  SharedNotes reasons;
  bool noise = false;
  for (const Measured& m : survey.measured) {
    if (m.class_index) continue;
    noise = noise || m.floor.has_value();
    const std::string who = name_of(m, survey.input.reduction);
    if (!m.interval.empty()) reasons.add("interval: " + m.interval, who);
    if (!m.estimate) reasons.add("n/a: " + m.reason, who);
    if (m.estimate && !m.interval_reason.empty()) reasons.add(m.interval_reason, who);
  }
  std::string out;
  if (noise)
    out += wrap(fmt::format("noise: the same number by chance, for a perfectly calibrated model of this n: mean–95% "
                            "quantile ({} draws of the labels from the scores, seed {})",
                            survey.resamples, survey.seed),
                options.width);
  if (bias)
    out += wrap(
        fmt::format(
            "bias: mean of {} samples of this n from a curve fitted to the data ({}, on their own scores) less its "
            "true error, in points; corrected: the true error that would show this value on average, empty where "
            "correcting adds more noise than the bias it removes",
            grouped(bias->table.replicates), bias->curves.empty() ? "isotonic" : bias->curves.front().name),
        options.width);
  if (bias) out += wrap(description(*bias), options.width);
  for (const auto& [text, who] : reasons.all()) out += wrap(printable(text) + " (" + who + ")", options.width);
  return out.empty() ? out : paint(out.substr(0, out.size() - 1), Ink::dim, options.colour) + "\n\n";
}

std::string worst_table(const Survey& survey, const TextOptions& options) {
  auto classes = worst_classes(survey);
  if (classes.empty()) return {};
  const std::size_t shown = std::min<std::size_t>(classes.size(), 10);
  const std::string_view title = shown < classes.size() ? "worst classes" : "class";
  classes.resize(shown);
  return text_table(classes_table(survey, classes, title)).str(options.colour, options.width) + "\n";
}

std::string reliability(const Survey& survey, const TextOptions& options) {
  const Measured* worst = worst_class(survey);
  if (!worst && survey.curve)
    return paint("reliability diagram", Ink::bold, options.colour) + "\n" +
           curve_diagram(*survey.curve, survey.input.reduction, AxisKind::automatic, options) + "\n";
  const Measured* from = worst ? worst : reference(survey);
  constexpr std::size_t most = 60;  // a sweep may have thousands of bins: not a picture for a terminal
  if (!from || !from->estimate || from->estimate->per_bin.empty() || from->estimate->per_bin.size() > most) return {};
  const auto* band = worst ? nullptr : band_of(survey, from->name);
  std::string title = "reliability diagram, bins of " + from->name;
  if (worst) title += ", class " + class_label(survey, *worst->class_index);
  return paint(title, Ink::bold, options.colour) + "\n" +
         diagram(from->estimate->per_bin, band ? *band : std::vector<Band>(), survey.input.reduction, options) + "\n";
}

std::string notes(const TestReport& report, const TextOptions& options) {
  std::string out = wrap(fmt::format("{}; if calibrated: where the statistic then stays in {} of 100 samples",
                                     p_meaning(report), four_digits(100 * (1 - report.alpha))),
                         options.width);
  for (const TestResult& t : report.tests)
    if (t.evidence) out += wrap(t.name + " " + part_words(t), options.width);
  for (const TestResult& t : report.tests)
    if (!t.statistic)
      out += wrap((t.p_value ? "" : "n/a: ") + printable(t.reason) + " (" + t.name + ")", options.width);
  if (report.detectable) out += wrap(detectable_words(report), options.width);
  for (const auto& note : report.notes) out += wrap(printable(note), options.width);
  return paint(out.substr(0, out.size() - 1), Ink::dim, options.colour) + "\n";
}

}  // namespace

std::string header(const InputInfo& in, const TextOptions& options) {
  const std::string_view meaning = in.reduction == Reduction::top_label
                                       ? "confidence of the predicted class, hit or miss"
                                   : in.reduction == Reduction::positive ? "probability of class 1, and the label"
                                                                         : "one class against the rest, averaged";
  std::string out = paint(printable(in.source.empty() ? "predictions" : in.source), Ink::bold, options.colour) + "\n";
  std::string facts = "n = " + grouped(in.n);
  if (in.weighted) facts += " (weights sum to " + grouped(in.total_weight) + ")";
  if (in.k > 0) facts += fmt::format(" · K = {}", in.k);
  facts += fmt::format(" · from {} · reduction {}: {}", name(in.kind), name(in.reduction), meaning);
  out += wrap(facts, options.width);
  if (!in.used.empty()) out += wrap(printable(in.used), options.width);
  if (!in.note.empty()) out += wrap("Note: " + in.note + ".", options.width);
  return out + "\n";
}

std::string text(const Survey& survey, const TextOptions& options, const BiasReport* bias) {
  const bool all = options.all || bias || !survey.test;
  std::string out = header(survey.input, options);
  if (const std::string sentence = conclusion(survey); !sentence.empty())
    out += paint(wrap(sentence, options.width), Ink::bold, options.colour);
  if (survey.test)
    if (const std::string line = headline(survey.test->verdict); !line.empty()) out += wrap(line, options.width);
  if (const std::string why = disagreement(survey); !why.empty()) out += wrap(why, options.width);
  out += "\n" + reliability(survey, options);
  const std::string groups = survey.groups ? text(*survey.groups, options) + "\n" : "";
  if (!all) return out + quoted_table(survey, options) + groups;
  return out + (bias ? bias_table(survey, *bias, options) : normed_table(survey, options)) +
         plain_table(survey, options) + worst_table(survey, options) + notes(survey, options, bias) + groups;
}

std::string text(const TestReport& report, const TextOptions& options) {
  std::string out =
      header(report.input, options) + paint(wrap(test_conclusion(report), options.width), Ink::bold, options.colour);
  if (const std::string line = headline(report.verdict); !line.empty()) out += wrap(line, options.width);
  if (report.gate)
    out += wrap(fmt::format("Gate: {} at level {}: {}.", report.gate->statistic, level(report.gate->alpha),
                            report.gate->rejected ? "rejected, exit status 1" : "passed"),
                options.width);
  out += "\n" + text_table(tests_table(report, Reader::terminal)).str(options.colour, options.width) + "\n" +
         notes(report, options);
  return report.groups ? out + "\n" + text(*report.groups, options) : out;
}

}  // namespace tare::detail::render
