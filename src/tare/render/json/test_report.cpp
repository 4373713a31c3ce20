#include "tare/render/words/test_report.hpp"
#include <tare/version.hpp>
#include "tare/core/names.hpp"
#include "tare/render/json/groups.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/json/json_parts.hpp"

namespace tare::inner::render {
namespace {

Json to_json(const TestEvidence& e) {
  Json parts = Json::array();
  for (const TestPart& part : e.parts)
    parts.push_back({{"name", part.name}, {"weight", part.weight}, {"minus_log_p", part.minus_log_p}});
  return {{"spoke", e.spoke},
          {"finding", name(e.finding)},
          {"from", or_null(e.from)},
          {"to", or_null(e.to)},
          {"parts", parts}};
}

Json to_json(const TestResult& t, double alpha) {
  return {{"name", t.name},
          {"title", t.title},
          {"norm", or_null(t.norm)},
          {"two_sided", t.two_sided},
          {"statistic", or_null(t.statistic)},
          {"p_value", or_null(t.p_value)},
          {"accepted_low", or_null(t.accepted_low)},
          {"accepted_high", or_null(t.accepted_high)},
          {"rejected", t.p_value ? Json(rejected(t, alpha)) : Json()},
          {"reason", or_null(t.reason)},
          {"evidence", t.evidence ? to_json(*t.evidence) : Json()}};
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

}  // namespace

std::string json(const TestReport& report) {
  std::string out = "{\"tare\": " + dump(TARE_VERSION) +
                    ", \"command\": \"test\",\n\"input\": " + dump(to_json(report.input)) +
                    ",\n\"seed\": " + dump(report.seed) + ", \"resamples\": " + dump(report.resamples) +
                    ", \"alpha\": " + dump(report.alpha) + ",\n\"tests\": [";
  const char* separator = "\n";
  for (const TestResult& t : report.tests) {
    out += separator + dump(to_json(t, report.alpha));
    separator = ",\n";
  }
  const Json wrong{{"misses_at_one", report.verdict.certain.misses_at_one},
                   {"hits_at_zero", report.verdict.certain.hits_at_zero}};
  out += "\n],\n\"verdict\": " + dump(to_json(report)) + ",\n\"contradictions\": " + dump(wrong) +
         ",\n\"detectable\": " + dump(report.detectable ? to_json(*report.detectable) : Json()) +
         ",\n\"level\": " + dump(report.level ? to_json(*report.level) : Json());
  const Json gate = report.gate ? Json{{"statistic", report.gate->statistic},
                                       {"alpha", report.gate->alpha},
                                       {"rejected", report.gate->rejected}}
                                : Json();
  if (report.groups) out += ",\n\"groups\": " + dump(to_json(*report.groups));
  return out + ",\n\"gate\": " + dump(gate) + "}\n";
}

}  // namespace tare::inner::render
