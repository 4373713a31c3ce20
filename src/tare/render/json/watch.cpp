#include "tare/render/words/watch.hpp"
#include "tare/render/json/watch.hpp"

#include <tare/version.hpp>
#include "tare/render/json/json_parts.hpp"

namespace tare::inner::render {
namespace {

Json moved_json(const Moved& m) {
  Json parts = Json::array();
  for (const TestPart& part : m.parts)
    parts.push_back({{"name", part.name}, {"weight", part.weight}, {"minus_log_p", part.minus_log_p}});
  const bool known = m.p_value.has_value();
  return {{"p_value", or_null(m.p_value)},
          {"change", known ? Json(m.change) : Json()},
          {"se", known ? Json(m.se) : Json()},
          {"strata", m.strata},
          {"untold", m.untold},
          {"parts", parts}};
}

Json day_json(const WatchReport& report, const WatchDay& day) {
  Json alerts = Json::array();
  for (std::size_t i = 0; i < std::size(alert_names); ++i)
    if (report.is(static_cast<Alert>(i), day)) alerts.push_back(alert_names[i]);
  return {{"name", day.name},
          {"rows", day.rows},
          {"mean_score", day.mean_score},
          {"hit_rate", day.hit_rate},
          {"moved", moved_json(day.moved)},
          {"drift", Json{{"distance", day.drift.distance}, {"p_value", day.drift.p_value}, {"mean", day.drift.mean}}},
          {"evidence", day.evidence},
          {"detector", day.detector},
          {"reference_evidence", day.reference_evidence},
          {"alerts", alerts}};
}

}  // namespace

std::string json(const WatchReport& report) {
  const Json reference{{"name", report.reference},
                       {"rows", report.reference_rows},
                       {"mean_score", report.reference_score},
                       {"hit_rate", report.reference_rate}};
  const Json limits{{"evidence", report.evidence_limit()},
                    {"detector", report.options.run_length},
                    {"reference_evidence", report.reference_limit()}};
  std::string out = "{\"tare\": " + dump(TARE_VERSION) +
                    ", \"command\": \"watch\",\n\"reference\": " + dump(reference) +
                    ",\n\"alpha\": " + dump(report.options.alpha) +
                    ", \"resamples\": " + dump(report.options.resamples) + ", \"seed\": " + dump(report.options.seed) +
                    ", \"limits\": " + dump(limits) + ", \"exact\": " + dump(report.exact) + ",\n\"days\": [";
  const char* separator = "\n";
  for (const WatchDay& day : report.days) {
    out += separator + dump(day_json(report, day));
    separator = ",\n";
  }
  return out + "\n],\n\"sentences\": " + dump(Json(watch_sentences(report))) + "}\n";
}

}  // namespace tare::inner::render
