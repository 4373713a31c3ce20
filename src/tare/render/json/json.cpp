#include "tare/render/json/json.hpp"

#include <tare/version.hpp>
#include "tare/core/catalogue.hpp"
#include "tare/core/names.hpp"
#include "tare/render/prose/prose.hpp"
#include "tare/render/svg/score_axis.hpp"
#include "tare/render/table/table.hpp"

namespace tare::detail::render {
namespace {

std::string opening(std::string_view command) {
  return "{\"tare\": " + dump(TARE_VERSION) + ", \"command\": " + dump(command) + ",\n";
}

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

Json to_json(const TruthInfo& t) {
  return {{"name", or_null(t.name)}, {"scores", t.scores},          {"alpha", or_null(t.alpha)},
          {"beta", or_null(t.beta)}, {"values", or_null(t.values)}, {"curve", t.curve}};
}

std::string head(const SimTable& t, bool complete) {
  return opening("bbc") + "\"model\": " + dump(to_json(t.truth)) +
         ",\n\"tce\": " + dump({{"1", or_null(t.true_error.norm1)}, {"2", or_null(t.true_error.norm2)}}) +
         ",\n\"seed\": " + dump(t.seed) + ", \"replicates\": " + dump(t.replicates) +
         ", \"drawn\": " + dump({{"fewest", t.fewest}, {"most", t.most}}) + ", \"complete\": " + dump(complete) + ",\n";
}

Json to_json(const CurveLine& c) {
  return {{"name", c.name},
          {"coefficients", c.coefficients},
          {"errors", c.errors},
          {"parameters", c.parameters},
          {"nll", c.nll},
          {"aic", c.aic},
          {"status", name(c.status)},
          {"note", or_null(c.note)}};
}

Json to_json(const EstimatorInfo& e) {
  Json norms = Json::array();
  for (const int norm : {1, 2})
    if (has_norm(e, norm)) norms.push_back(norm);
  return {{"name", e.name},
          {"title", e.title},
          {"summary", e.summary},
          {"citation", e.citation},
          {"estimand", or_null(e.estimand)},
          {"norms", norms},
          {"bins", e.uses_bins},
          {"error", e.is_error}};
}

Json to_json(const ListedTest& t) {
  return {{"name", t.name},
          {"title", t.title},
          {"summary", t.summary},
          {"citation", t.citation},
          {"two_sided", t.two_sided}};
}

Json to_json(const ListedCalibrator& c) {
  return {{"name", c.name},         {"title", c.title},     {"summary", c.summary},
          {"citation", c.citation}, {"options", c.options}, {"keeps_top_label", c.keeps_top_label}};
}

Json to_json(const ListedModel& m) {
  return {{"name", m.name}, {"title", m.title}, {"alpha", m.alpha}, {"beta", m.beta}, {"curve", m.curve}};
}

Json to_json(const ListedCurve& c) {
  return {{"name", c.name}, {"formula", c.formula}, {"coefficients", c.coefficients}};
}

}  // namespace

Json to_json(const GroupReport& report) {
  const Json columns = json_list(report.columns, [](const GroupColumn& column) {
    return Json{{"name", column.name}, {"groups", column.groups}, {"p_value", column.p_value}};
  });
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
  std::string out = opening("measure") + "\"input\": " + dump(to_json(survey.input)) +
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
    const Json curves = json_list(survey.class_curves, [](const ClassCurve& c) {
      Json one = to_json(c.curve);
      one.set("class", c.class_index);
      return one;
    });
    out += ",\n\"class_curves\": " + dump(curves);
  }
  if (survey.groups) out += ",\n\"groups\": " + dump(to_json(*survey.groups));
  return out + "}\n";
}

std::string json(const TestReport& report) {
  std::string out = opening("test") + "\"input\": " + dump(to_json(report.input)) +
                    ",\n\"seed\": " + dump(report.seed) + ", \"resamples\": " + dump(report.resamples) +
                    ", \"alpha\": " + dump(report.alpha) +
                    ",\n\"tests\": " + json_lines(tests_table(report, Reader::json));
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
  const std::string out = opening("compare") + "\"validation\": " + dump(to_json(c.validation)) +
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
      opening("watch") + "\"reference\": " + dump(reference) + ",\n\"alpha\": " + dump(report.options.alpha) +
      ", \"resamples\": " + dump(report.options.resamples) + ", \"seed\": " + dump(report.options.seed) +
      ", \"limits\": " + dump(limits) + ", \"exact\": " + dump(report.exact) +
      ",\n\"days\": " + json_lines(days_table(report, all_rows(report.days), Reader::json));
  return out + ",\n\"sentences\": " + dump(Json(watch_sentences(report))) + "}\n";
}

std::string json(const SimTable& t) {
  return head(t, t.complete) + "\"results\": " + json_lines(simulation_table(t, Reader::json)) + "}\n";
}

std::string json(const BiasReport& report) {
  std::string out = head(report.table, report.complete) + "\"input\": " + dump(to_json(report.input)) +
                    ",\n\"n\": " + dump(report.n) + ", \"note\": " + dump(or_null(report.note)) + ",\n";
  Json scores;
  if (const auto& s = report.scores)
    scores = Json{{"alpha", s->alpha},
                  {"alpha_error", s->alpha_error},
                  {"beta", s->beta},
                  {"beta_error", s->beta_error},
                  {"saturated_high", s->saturated_high},
                  {"saturated_low", s->saturated_low},
                  {"saturated", s->saturated},
                  {"status", name(s->status)}};
  out += "\"scores\": " + dump(scores) +
         ",\n\"curves\": " + dump(json_list(report.curves, [](const CurveLine& c) { return to_json(c); })) +
         ",\n\"corrections\": " + dump(json_rows(corrections_table(report.corrections, Reader::json)));
  return out + ",\n\"path_replicates\": " + dump(report.path_replicates) + ",\n" +
         "\"results\": " + json_lines(simulation_table(report.table, Reader::json)) + "}\n";
}

std::string json(const Catalogue& c) {
  const auto rows = [](const auto& table) { return json_list(table, [](const auto& row) { return to_json(row); }); };
  return Json{{"tare", TARE_VERSION},
              {"command", "list"},
              {"estimators", rows(c.estimators)},
              {"tests", rows(c.tests)},
              {"calibrators", rows(c.calibrators)},
              {"models", rows(c.models)},
              {"curves", rows(c.curves)}}
      .indented();
}

Json to_json(const std::vector<Bin>& bins) {
  return json_list(bins, [](const Bin& b) {
    return Json{{"lower", b.lower},
                {"upper", b.upper},
                {"count", b.count},
                {"mean_score", b.mean_score},
                {"mean_label", b.mean_label}};
  });
}

Json to_json(const std::vector<Component>& parts) {
  Json out = Json::object();
  for (const Component& p : parts) out.set(p.name, p.value);
  return out;
}

Json to_json(const std::vector<TestPart>& parts) {
  return json_list(parts, [](const TestPart& part) {
    return Json{{"name", part.name}, {"weight", part.weight}, {"minus_log_p", part.minus_log_p}};
  });
}

Json to_json(const ErrorRange& r) {
  return {{"name", r.estimator}, {"value", or_null(r.value)}, {"low", or_null(r.low)}, {"high", or_null(r.high)}};
}

Json to_json(const Difference& d) {
  return {
      {"criterion", name(d.criterion)}, {"against", d.against}, {"value", d.value}, {"low", d.low}, {"high", d.high},
      {"change", name(d.change)}};
}

Json to_json(const std::vector<Difference>& differences) {
  return json_list(differences, [](const Difference& d) { return to_json(d); });
}

Json to_json(const IntervalEstimate& r) {
  return {{"value", r.value}, {"low", or_null(r.low)}, {"high", or_null(r.high)}};
}

Json to_json(const TestReport& report) {
  const Verdict& v = report.verdict;
  return {{"outcome", name(v.outcome)},
          {"p_value", or_null(v.p_value)},
          {"test", v.test},
          {"alpha", v.alpha},
          {"value", or_null(v.square.value)},
          {"low", or_null(v.square.low)},
          {"high", or_null(v.square.high)},
          {"norm", 2},
          {"detectable", or_null(v.detectable)},
          {"direction", name(v.direction)},
          {"mean_gap", to_json(v.mean_gap)},
          {"shape", name(v.shape)},
          {"slope", v.slope ? to_json(*v.slope) : Json()},
          {"certain_and_wrong", v.certain.wrong()},
          {"sentence", verdict_sentence(report)}};
}

Json to_json(const CurveBand& band) {
  const Json pieces = json_list(band_pieces(band), [](const BandPiece& p) {
    return Json{{"from", p.from}, {"to", p.to}, {"low", p.low}, {"high", p.high}};
  });
  const Json cells = json_list(band.cells, [](const CurveCell& c) {
    return Json{{"first", c.first}, {"last", c.last}, {"mean_score", c.mean_score},
                {"count", c.count}, {"rate", c.rate}, {"curve", c.curve},
                {"low", c.low},     {"high", c.high}};
  });
  const Json spans = json_list(band.spans, [](const CurveSpan& s) {
    return Json{{"from", s.from}, {"to", s.to},    {"mean_score", s.mean_score}, {"count", s.count}, {"rate", s.rate},
                {"low", s.low},   {"high", s.high}};
  });
  return {{"basis", name(band.basis)},
          {"level", band.level},
          {"diagonal", name(band.diagonal)},
          {"outside", band.outside},
          {"reason", or_null(band.reason)},
          {"meaning", band_meaning(band)},
          {"sentence", or_null(diagonal_sentence(band))},
          {"axis", axis_name(band.cells.empty() ? AxisKind::linear : suited_axis({&band}))},
          {"band", pieces},
          {"cells", cells},
          {"spans", spans}};
}

Json to_json(const InputInfo& in) {
  return {{"n", in.n},
          {"k", in.k ? Json(in.k) : Json()},
          {"kind", name(in.kind)},
          {"reduction", name(in.reduction)},
          {"source", in.source},
          {"used", or_null(in.used)},
          {"weighted", in.weighted},
          {"total_weight", in.total_weight},
          {"note", or_null(in.note)}};
}

}  // namespace tare::detail::render
