#include <tare/version.hpp>
#include "tare/core/names.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/json/json_parts.hpp"

namespace tare::inner::render {

std::string json(const ModelTable& models) {
  Json lines = Json::array();
  for (const ModelLine& m : models.models) {
    const ErrorRange& mean = m.test.verdict.mean;
    Json differences = Json::array();
    for (const Difference& d : m.differences) differences.push_back(to_json(d));
    lines.push_back({{"input", to_json(m.test.input)},
                     {"score", m.test.verdict.mean_score},
                     {"label", m.test.verdict.mean_label},
                     {"mean_gap",
                      {{"name", mean.estimator},
                       {"value", or_null(mean.value)},
                       {"low", or_null(mean.low)},
                       {"high", or_null(mean.high)}}},
                     {std::string(name(Criterion::brier)), or_null(m.brier)},
                     {"verdict", to_json(m.test)},
                     {"differences", std::move(differences)}});
  }
  return dump({{"tare", TARE_VERSION},
               {"command", "measure"},
               {"models", std::move(lines)},
               {"same_rows", models.same_rows},
               {"reason", models.reason.empty() ? Json() : Json(models.reason)},
               {"resamples", models.resamples},
               {"seed", models.seed}}) +
         "\n";
}

}  // namespace tare::inner::render
