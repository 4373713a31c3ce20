#include "tare/render/json/json.hpp"

#include <tare/version.hpp>
#include "tare/render/json/groups.hpp"
#include "tare/render/json/json_parts.hpp"
#include "tare/render/words/conclusion.hpp"

namespace tare::inner::render {

namespace {

void add_bias(Json& line, const Measured& m, const BiasReport& report) {
  const Correction* c = correction_of(report, m);
  line.set("bias", c ? or_null(c->bias) : Json());
  line.set("rmse", c ? or_null(c->rmse) : Json());
  line.set("corrected", c ? or_null(c->corrected) : Json());
  line.set("bias_reason", c ? or_null(c->reason) : Json("it does not estimate the true calibration error"));
}

}  // namespace

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
         ",\n\"estimates\": [";
  const char* separator = "\n";
  for (const Measured& m : survey.measured) {
    Json line = to_json(m, survey.class_names);
    if (bias) add_bias(line, m, *bias);
    out += separator + dump(line);
    separator = ",\n";
  }
  out += "\n],\n\"curve\": " + dump(survey.curve ? to_json(*survey.curve) : Json());
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

}  // namespace tare::inner::render
