// Results as one JSON object: stable keys, unrounded numbers, null with a reason where there is no number. It ends with
// a newline.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/bias.hpp"
#include "tare/core/catalogue.hpp"
#include "tare/core/comparison.hpp"
#include "tare/core/curve.hpp"
#include "tare/core/models.hpp"
#include "tare/core/survey.hpp"
#include "tare/core/test_report.hpp"
#include "tare/core/watch.hpp"
#include "tare/render/json/json_text.hpp"

namespace tare::detail::render {

// bias: its numbers beside each estimate; null: nothing was simulated, and there are no such keys.
std::string json(const Survey& survey, const BiasReport* bias = nullptr);
std::string json(const Comparison& comparison);
std::string json(const TestReport& report);
std::string json(const ModelTable& models);
std::string json(const SimTable& table);     // the bias under a truth with a name
std::string json(const BiasReport& report);  // and under one fitted to the user's data
std::string json(const WatchReport& report);
std::string json(const Catalogue& catalogue);

// What it is made of: null for what does not exist, one form for bins and estimates.

template <class T>
Json or_null(const std::optional<T>& value) {
  return Json(value);
}
inline Json or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

template <class Rows, class F>
Json json_list(const Rows& rows, F&& of) {
  Json out = Json::array();
  for (const auto& row : rows) out.push_back(of(row));
  return out;
}

Json to_json(const std::vector<Bin>& bins);
Json to_json(const std::vector<Component>& parts);
Json to_json(const std::vector<TestPart>& parts);
Json to_json(const InputInfo& in);
Json to_json(const TestReport& report);  // its verdict
Json to_json(const ErrorRange& range);
Json to_json(const Difference& d);
Json to_json(const std::vector<Difference>& differences);
Json to_json(const CurveBand& band);
Json to_json(const GroupReport& report);

inline const std::string& dump(const Json& j) { return j.text(); }

}  // namespace tare::detail::render
