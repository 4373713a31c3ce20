#include <tare/version.hpp>
#include "tare/core/names.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/json/json_parts.hpp"
#include "tare/render/table/tables.hpp"

namespace tare::detail::render {
namespace {

Json to_json(const TruthInfo& t) {
  return {{"name", or_null(t.name)}, {"scores", t.scores},          {"alpha", or_null(t.alpha)},
          {"beta", or_null(t.beta)}, {"values", or_null(t.values)}, {"curve", t.curve}};
}

std::string head(const SimTable& t, bool complete) {
  return "{\"tare\": " + dump(TARE_VERSION) + ", \"command\": \"bbc\",\n\"model\": " + dump(to_json(t.truth)) +
         ",\n\"tce\": " + dump({{"1", or_null(t.true_error.norm1)}, {"2", or_null(t.true_error.norm2)}}) +
         ",\n\"seed\": " + dump(t.seed) + ", \"replicates\": " + dump(t.replicates) +
         ", \"drawn\": " + dump({{"fewest", t.fewest}, {"most", t.most}}) + ", \"complete\": " + dump(complete) + ",\n";
}

Json to_json(const CurveLine& c) {
  Json errors = Json::array();
  for (const auto& e : c.errors) errors.push_back(or_null(e));
  return {{"name", c.name},
          {"coefficients", c.coefficients},
          {"errors", errors},
          {"parameters", c.parameters},
          {"nll", c.nll},
          {"aic", c.aic},
          {"status", name(c.status)},
          {"note", or_null(c.note)}};
}

}  // namespace

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
  Json curves = Json::array();
  for (const CurveLine& c : report.curves) curves.push_back(to_json(c));
  out += "\"scores\": " + dump(scores) + ",\n\"curves\": " + dump(curves) +
         ",\n\"corrections\": " + dump(json_rows(corrections_table(report.corrections, Reader::json)));
  return out + ",\n\"path_replicates\": " + dump(report.path_replicates) + ",\n" +
         "\"results\": " + json_lines(simulation_table(report.table, Reader::json)) + "}\n";
}

}  // namespace tare::detail::render
