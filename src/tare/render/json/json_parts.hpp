// What the JSON of every command is made of: null for what does not exist, one form for bins and estimates.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/comparison.hpp"
#include "tare/core/curve.hpp"
#include "tare/core/test_report.hpp"
#include "tare/render/json/json_text.hpp"

namespace tare::detail::render {

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
