#include "tare/render/json.hpp"

#include <nlohmann/json.hpp>

#include "tare/core/version.hpp"
#include "tare/render/names.hpp"

namespace tare::render {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}
Json or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

Json to_json(const std::vector<Bin>& bins) {
  Json out = Json::array();
  for (const Bin& b : bins)
    out.push_back({{"lower", b.lower},
                   {"upper", b.upper},
                   {"count", b.count},
                   {"mean_score", b.mean_score},
                   {"mean_label", b.mean_label}});
  return out;
}

Json to_json(const std::vector<Part>& parts) {
  Json out = Json::object();
  for (const Part& p : parts) out[p.name] = p.value;
  return out;
}

Json to_json(const Measured& m, const std::vector<std::string>& class_names) {
  const Estimate none;
  const Estimate& e = m.estimate ? *m.estimate : none;
  Json out;
  out["name"] = m.name;
  out["norm"] = or_null(m.norm);
  out["class"] = or_null(m.class_index);
  if (m.class_index && *m.class_index < class_names.size()) out["class_name"] = class_names[*m.class_index];
  out["bins"] = or_null(e.bins);
  out["value"] = m.estimate ? Json(e.value) : Json();
  out["reason"] = or_null(m.reason);
  out["estimand"] = or_null(m.estimand);
  out["low"] = or_null(m.low);
  out["high"] = or_null(m.high);
  out["interval"] = or_null(m.interval);
  out["interval_reason"] = or_null(m.interval_reason);
  out["floor"] = or_null(m.floor);
  out["floor_high"] = or_null(m.floor_high);
  out["verdict"] = or_null(name(m.verdict));
  out["squared"] = or_null(e.squared);
  out["squared_se"] = or_null(e.squared_se);
  out["se"] = or_null(e.se);
  out["parts"] = to_json(e.parts);
  out["per_bin"] = to_json(e.per_bin);
  return out;
}

}  // namespace

// One estimate per line: a person can read it, and `grep` and `diff` can too.
std::string json(const Survey& survey) {
  const InputInfo& in = survey.input;
  // A file name need not be UTF-8, but JSON must be.
  const auto dump = [](const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); };
  const Json input = {{"n", in.n},
                      {"k", in.k ? Json(in.k) : Json()},
                      {"kind", name(in.kind)},
                      {"reduction", name(in.reduction)},
                      {"source", in.source},
                      {"weighted", in.weighted},
                      {"total_weight", in.total_weight}};
  std::string out = "{\"tare\": " + dump(TARE_VERSION) + ", \"command\": \"measure\",\n\"input\": " + dump(input) +
                    ",\n\"seed\": " + dump(survey.seed) + ", \"resamples\": " + dump(survey.resamples) +
                    ",\n\"estimates\": [";
  const char* separator = "\n";
  for (const Measured& m : survey.measured) {
    out += separator + dump(to_json(m, survey.class_names));
    separator = ",\n";
  }
  return out + "\n]}\n";
}

}  // namespace tare::render
