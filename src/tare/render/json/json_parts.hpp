// What the JSON of every command is made of: null for what does not exist, one form for bins and estimates.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/results.hpp"

namespace tare::inner::render {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}
inline Json or_null(std::string_view text) { return text.empty() ? Json() : Json(text); }

Json to_json(const std::vector<Bin>& bins);
Json to_json(const std::vector<Part>& parts);
Json to_json(const Measured& m, const std::vector<std::string>& class_names);
Json to_json(const InputInfo& in);

std::string dump(const Json& j);  // a file name need not be UTF-8, but JSON must be

}  // namespace tare::inner::render
