#include "tare/render/json/json.hpp"

#include <tare/version.hpp>
#include "tare/core/names.hpp"
#include "tare/render/json/json_parts.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/table/tables.hpp"

namespace tare::detail::render {

Json to_json(const GroupReport& report) {
  Json columns = Json::array();
  for (const GroupColumn& column : report.columns)
    columns.push_back({{"name", column.name}, {"groups", column.groups}, {"p_value", column.p_value}});
  return {{"alpha", report.alpha},
          {"p_value", report.p_value},
          {"resamples", report.resamples},
          {"found", report.count_found()},
          {"columns", columns},
          {"sentences", group_sentences(report)},
          {"notes", report.notes},
          {"groups", json_rows(groups_table(report, all_rows(report.lines), Reader::json))}};
}

// One estimate per line: a person can read it, and `grep` and `diff` can too.
std::string json(const Survey& survey, const BiasReport* bias) {
  std::string out = "{\"tare\": " + dump(TARE_VERSION) +
                    ", \"command\": \"measure\",\n\"input\": " + dump(to_json(survey.input)) +
                    ",\n\"seed\": " + dump(survey.seed) + ", \"resamples\": " + dump(survey.resamples) + ",\n";
  if (bias)
    out += "\"simulation\": " +
           dump({{"scores", bias->table.truth.scores},
                 {"curve", bias->curves.empty() ? Json() : Json(bias->curves.front().name)},
                 {"tce", {{"1", or_null(bias->table.true_error.norm1)}, {"2", or_null(bias->table.true_error.norm2)}}},
                 {"replicates", bias->table.replicates},
                 {"path_replicates", bias->path_replicates}}) +
           ",\n";
  const auto headline = [&](const ErrorRange Verdict::*range, int norm) {
    if (!survey.test) return dump(Json());
    const ErrorRange& r = survey.test->verdict.*range;
    return dump(r.value ? Json{{"name", r.estimator},
                               {"norm", norm},
                               {"value", *r.value},
                               {"low", or_null(r.low)},
                               {"high", or_null(r.high)}}
                        : Json());
  };
  out += "\"verdict\": " + dump(survey.test ? to_json(*survey.test) : Json()) +
         ",\n\"headline\": " + headline(&Verdict::square, 2) + ",\n\"mean_gap\": " + headline(&Verdict::mean, 1) +
         ",\n\"estimates\": " +
         json_lines(estimates_table(all_rows(survey.measured), Reader::json, survey.class_names, bias)) +
         ",\n\"curve\": " + dump(survey.curve ? to_json(*survey.curve) : Json());
  if (!survey.class_curves.empty()) {
    Json curves = Json::array();
    for (const ClassCurve& c : survey.class_curves) {
      Json one = to_json(c.curve);
      one.set("class", c.class_index);
      curves.push_back(one);
    }
    out += ",\n\"class_curves\": " + dump(curves);
  }
  if (survey.groups) out += ",\n\"groups\": " + dump(to_json(*survey.groups));
  return out + "}\n";
}

namespace {

Json to_json(const Detectable& d) {
  return {{"tce", or_null(d.tce)},    {"norm", d.norm},
          {"alpha", d.alpha},         {"power", d.power},
          {"path", d.path},           {"exponent", or_null(d.exponent)},
          {"statistic", d.statistic}, {"reason", or_null(d.reason)}};
}

Json to_json(const LevelShift& l) {
  return {{"statistic", l.statistic},
          {"explained", l.explained},
          {"p_value", l.p_value},
          {"resamples", l.resamples},
          {"shift", l.shift}};
}

}  // namespace

std::string json(const TestReport& report) {
  std::string out =
      "{\"tare\": " + dump(TARE_VERSION) + ", \"command\": \"test\",\n\"input\": " + dump(to_json(report.input)) +
      ",\n\"seed\": " + dump(report.seed) + ", \"resamples\": " + dump(report.resamples) +
      ", \"alpha\": " + dump(report.alpha) + ",\n\"tests\": " + json_lines(tests_table(report, Reader::json));
  const Json wrong{{"misses_at_one", report.verdict.certain.misses_at_one},
                   {"hits_at_zero", report.verdict.certain.hits_at_zero}};
  out += ",\n\"verdict\": " + dump(to_json(report)) + ",\n\"contradictions\": " + dump(wrong) +
         ",\n\"detectable\": " + dump(report.detectable ? to_json(*report.detectable) : Json()) +
         ",\n\"level\": " + dump(report.level ? to_json(*report.level) : Json());
  const Json gate = report.gate ? Json{{"statistic", report.gate->statistic},
                                       {"alpha", report.gate->alpha},
                                       {"rejected", report.gate->rejected}}
                                : Json();
  if (report.groups) out += ",\n\"groups\": " + dump(to_json(*report.groups));
  return out + ",\n\"gate\": " + dump(gate) + "}\n";
}

std::string json(const Comparison& c) {
  const std::string out = "{\"tare\": " + dump(TARE_VERSION) +
                          ", \"command\": \"compare\",\n\"validation\": " + dump(to_json(c.validation)) +
                          ",\n\"test\": " + (c.cross_validated ? "null" : dump(to_json(c.test))) +
                          ",\n\"cross_validated\": " + dump(c.cross_validated) + ", \"folds\": " + dump(c.folds) +
                          ", \"seed\": " + dump(c.seed) + ", \"resamples\": " + dump(c.resamples) +
                          ",\n\"interval\": " + dump(c.interval) +
                          ",\n\"methods\": " + json_lines(methods_table(c, Reader::json));
  const Json winner{{"method", c.winner.method},
                    {"criterion", name(c.winner.criterion)},
                    {"how", c.winner.how},
                    {"best", c.winner.best},
                    {"gain", c.winner.gain ? to_json(*c.winner.gain) : Json()},
                    {"lead", c.winner.lead ? to_json(*c.winner.lead) : Json()}};
  return out + ",\n\"winner\": " + dump(winner) + "}\n";
}

std::string json(const ModelTable& models) {
  return dump({{"tare", TARE_VERSION},
               {"command", "measure"},
               {"models", json_rows(models_table(models, Reader::json))},
               {"same_rows", models.same_rows},
               {"reason", models.reason.empty() ? Json() : Json(models.reason)},
               {"resamples", models.resamples},
               {"seed", models.seed}}) +
         "\n";
}

std::string json(const WatchReport& report) {
  const Json reference{{"name", report.reference},
                       {"rows", report.reference_rows},
                       {"mean_score", report.reference_score},
                       {"hit_rate", report.reference_rate}};
  const Json limits{{"evidence", report.evidence_limit()},
                    {"detector", report.options.run_length},
                    {"reference_evidence", report.reference_limit()}};
  const std::string out =
      "{\"tare\": " + dump(TARE_VERSION) + ", \"command\": \"watch\",\n\"reference\": " + dump(reference) +
      ",\n\"alpha\": " + dump(report.options.alpha) + ", \"resamples\": " + dump(report.options.resamples) +
      ", \"seed\": " + dump(report.options.seed) + ", \"limits\": " + dump(limits) +
      ", \"exact\": " + dump(report.exact) +
      ",\n\"days\": " + json_lines(days_table(report, all_rows(report.days), Reader::json));
  return out + ",\n\"sentences\": " + dump(Json(watch_sentences(report))) + "}\n";
}

}  // namespace tare::detail::render
