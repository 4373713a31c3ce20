#include "tare/core/catalogue.hpp"

#include <tare/version.hpp>
#include "tare/render/json/json.hpp"
#include "tare/render/json/json_parts.hpp"

namespace tare::detail::render {
namespace {

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

template <class Row>
Json rows(const std::vector<Row>& table) {
  Json out = Json::array();
  for (const Row& row : table) out.push_back(to_json(row));
  return out;
}

}  // namespace

std::string json(const Catalogue& c) {
  return Json{{"tare", TARE_VERSION},
              {"command", "list"},
              {"estimators", rows(c.estimators)},
              {"tests", rows(c.tests)},
              {"calibrators", rows(c.calibrators)},
              {"models", rows(c.models)},
              {"curves", rows(c.curves)}}
      .indented();
}

}  // namespace tare::detail::render
