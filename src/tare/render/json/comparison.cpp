#include <tare/version.hpp>
#include "tare/core/names.hpp"
#include "tare/render/json/groups.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/json/json_parts.hpp"

namespace tare::inner::render {

Json to_json(const Difference& d) {
  return {
      {"criterion", name(d.criterion)}, {"against", d.against}, {"value", d.value}, {"low", d.low}, {"high", d.high},
      {"change", name(d.change)}};
}

static Json to_json(const FitReport& fit) {
  return {{"status", name(fit.status)},          {"iterations", fit.iterations},
          {"gradient", or_null(fit.gradient)},   {"nll_before", or_null(fit.nll_before)},
          {"nll_after", or_null(fit.nll_after)}, {"note", or_null(fit.note)}};
}

static Json to_json(const MethodResult& m) {
  Json out{{"method", m.method}, {"reason", or_null(m.reason)}};
  const bool done = m.reason.empty();
  out.set("error", done ? Json(m.error) : Json());
  out.set(name(Criterion::nll), or_null(m.nll));
  out.set("nll_infinite_rows", m.nll_infinite_rows);
  out.set(name(Criterion::brier), done ? Json(m.brier) : Json());
  Json estimates = Json::array(), differences = Json::array();
  for (const Measured& e : m.estimates) estimates.push_back(to_json(e, {}));
  for (const Difference& d : m.differences) differences.push_back(to_json(d));
  out.set("estimates", estimates);
  out.set("differences", differences);
  out.set("selection", or_null(m.selection));
  if (m.groups) out.set("groups", to_json(*m.groups));
  out.set("fit", m.method == "uncalibrated" ? Json() : to_json(m.fit));
  out.set("fit_seconds", m.fit.seconds);
  return out;
}

std::string json(const Comparison& c) {
  std::string out = "{\"tare\": " + dump(TARE_VERSION) +
                    ", \"command\": \"compare\",\n\"validation\": " + dump(to_json(c.validation)) +
                    ",\n\"test\": " + (c.cross_validated ? "null" : dump(to_json(c.test))) +
                    ",\n\"cross_validated\": " + dump(c.cross_validated) + ", \"folds\": " + dump(c.folds) +
                    ", \"seed\": " + dump(c.seed) + ", \"resamples\": " + dump(c.resamples) +
                    ",\n\"interval\": " + dump(c.interval) + ",\n\"methods\": [";
  const char* separator = "\n";
  for (const MethodResult& m : c.methods) {
    out += separator + dump(to_json(m));
    separator = ",\n";
  }
  const Json winner{{"method", c.winner.method},
                    {"criterion", name(c.winner.criterion)},
                    {"how", c.winner.how},
                    {"best", c.winner.best},
                    {"gain", c.winner.gain ? to_json(*c.winner.gain) : Json()},
                    {"lead", c.winner.lead ? to_json(*c.winner.lead) : Json()}};
  return out + "\n],\n\"winner\": " + dump(winner) + "}\n";
}

}  // namespace tare::inner::render
