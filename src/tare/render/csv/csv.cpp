#include "tare/render/csv/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <type_traits>

#include "tare/core/clean.hpp"
#include "tare/core/names.hpp"
#include "tare/render/words/test_report.hpp"

namespace tare::inner::render {
namespace {

template <class T>
std::string cell(const std::optional<T>& value) {
  if constexpr (std::is_floating_point_v<T>)
    return value ? csv_number(*value) : "";
  else
    return value ? fmt::format("{}", *value) : "";
}

// Would a spreadsheet take the text for a formula? Numbers are none, whatever their sign.
bool may_be_formula(std::string_view text) {
  constexpr std::string_view beginnings[] = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
  if (std::none_of(std::begin(beginnings), std::end(beginnings), [&](auto b) { return text.starts_with(b); }))
    return false;
  const std::string_view digits = text.substr(text[0] == '+' ? 1 : 0);
  double number = 0;
  const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return digits.starts_with('-') != text.starts_with('-') || stop != digits.data() + digits.size() ||
         fault == std::errc::invalid_argument;
}

std::string word(bool value) { return value ? "true" : "false"; }

}  // namespace

std::string csv_number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : ""; }

std::string csv_line(const std::vector<std::string>& cells) {
  std::string out;
  for (const std::string& given : cells) {
    if (&given != cells.data()) out += ',';
    const std::string text = (may_be_formula(given) ? "'" : "") + clean(given);
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
      out += text;
      continue;
    }
    out += '"';
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += '"';
  }
  return out + "\n";
}

std::string csv(const Survey& survey) {
  std::string out =
      csv_line({"name", "norm", "class", "bins", "value", "low", "high", "floor", "floor_high", "verdict", "reason"});
  for (const Measured& m : survey.measured) {
    const bool named = m.class_index && *m.class_index < survey.class_names.size();
    out += csv_line({m.name, cell(m.norm), named ? survey.class_names[*m.class_index] : cell(m.class_index),
                     m.estimate ? cell(m.estimate->bins) : "", m.estimate ? csv_number(m.estimate->value) : "",
                     cell(m.low), cell(m.high), cell(m.floor), cell(m.floor_high),
                     m.judgement == Judgement::none ? "" : std::string(name(m.judgement)), m.reason});
  }
  return out;
}

std::string csv(const TestReport& report) {
  std::string out = csv_line({"name", "norm", "statistic", "p_value", "rejected", "reason"});
  for (const TestResult& t : report.tests)
    out += csv_line({t.name, cell(t.norm), cell(t.statistic), cell(t.p_value),
                     t.p_value ? word(rejected(t, report.alpha)) : "", t.reason});
  return out;
}

std::string csv(const Comparison& comparison) {
  std::vector<std::string> head{
      "method", "recommended", "error", std::string(name(Criterion::nll)), std::string(name(Criterion::brier)),
      "reason"};
  for (const MethodResult& m : comparison.methods)
    if (!m.estimates.empty()) {
      for (const Measured& e : m.estimates) head.push_back(e.name + (e.norm ? fmt::format("_l{}", *e.norm) : ""));
      break;
    }
  const std::string difference_name = std::string(name(comparison.winner.criterion)) + "_less_uncalibrated";
  for (const char* end : {"", "_low", "_high"}) head.push_back(difference_name + end);
  std::string out = csv_line(head);
  for (const MethodResult& m : comparison.methods) {
    const bool done = m.reason.empty();
    std::vector<std::string> cells{m.method,
                                   word(m.method == comparison.winner.method),
                                   done ? csv_number(m.error) : "",
                                   cell(m.nll),
                                   done ? csv_number(m.brier) : "",
                                   m.reason};
    for (const Measured& e : m.estimates) cells.push_back(e.estimate ? csv_number(e.estimate->value) : "");
    cells.resize(head.size() - 3);
    const Difference* d = difference(m, comparison.winner.criterion, "uncalibrated");
    for (const double Difference::*end : {&Difference::value, &Difference::low, &Difference::high})
      cells.push_back(d ? csv_number(d->*end) : "");
    out += csv_line(cells);
  }
  return out;
}

std::string csv(const GroupReport& report) {
  std::string out = csv_line({"column", "group", "n", "confidence", "accuracy", "gap", "low", "high", "shrunken_gap",
                              "p_gap", "p_shape", "p_value", "benjamini_hochberg", "holm", "found"});
  for (const GroupLine& line : report.lines)
    out += csv_line({report.columns[line.column].name, line.name, fmt::format("{}", line.rows),
                     csv_number(line.confidence), csv_number(line.accuracy), csv_number(line.gap.value),
                     cell(line.gap.low), cell(line.gap.high), csv_number(line.shrunken_gap),
                     csv_number(std::exp(line.log_p_gap)), cell(line.p_shape), csv_number(std::exp(line.log_p)),
                     csv_number(line.bh), csv_number(line.holm), word(report.found(line))});
  return out;
}

std::string csv(const SimTable& table) {
  std::string out = csv_line({"estimator", "norm", "bins", "n", "replicates", "mean", "bias", "se", "sd", "rmse"});
  for (const SimRow& r : table.rows)
    out += csv_line({r.estimator, cell(r.norm), cell(r.bins), fmt::format("{}", r.n), fmt::format("{}", r.replicates),
                     cell(r.mean), cell(r.bias), cell(r.se), cell(r.sd), cell(r.rmse)});
  return out;
}

std::string csv(const BiasReport& report) {
  std::string out = csv_line({"estimator", "norm", "value", "mean", "sd", "bias", "rmse", "corrected", "reason"});
  for (const Correction& c : report.corrections)
    out += csv_line({c.estimator, cell(c.norm), cell(c.observed), cell(c.mean), cell(c.sd), cell(c.bias), cell(c.rmse),
                     cell(c.corrected), c.reason});
  return out;
}

std::string csv(const WatchReport& report) {
  std::vector<std::string> head{
      "day",           "rows",     "mean_score", "hit_rate",          "change", "p_value", "drift",
      "drift_p_value", "evidence", "detector",   "reference_evidence"};
  head.insert(head.end(), std::begin(alert_names), std::end(alert_names));
  std::string out = csv_line(head);
  for (const WatchDay& day : report.days) {
    const bool known = day.moved.p_value.has_value();
    std::vector<std::string> cells{day.name,
                                   fmt::format("{}", day.rows),
                                   csv_number(day.mean_score),
                                   csv_number(day.hit_rate),
                                   known ? csv_number(day.moved.change) : "",
                                   cell(day.moved.p_value),
                                   csv_number(day.drift.distance),
                                   csv_number(day.drift.p_value),
                                   csv_number(day.evidence),
                                   csv_number(day.detector),
                                   csv_number(day.reference_evidence)};
    for (std::size_t a = 0; a < std::size(alert_names); ++a)
      cells.push_back(word(report.is(static_cast<Alert>(a), day)));
    out += csv_line(cells);
  }
  return out;
}

}  // namespace tare::inner::render
