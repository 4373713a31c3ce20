// JSON values in memory, of one line or one sample: as much as is asked for, of bounded depth and size.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/read/json.hpp"

namespace tare::detail::read::llm {

struct Json {
  enum class Kind { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  double number = 0;                    // also 1 and 0 for true and false
  std::string text = {};                // of a number as it is written
  std::vector<Json> items = {};         // of a list or an object
  std::vector<std::string> names = {};  // of an object, one per item

  [[nodiscard]] bool is(Kind k) const { return kind == k; }
  [[nodiscard]] bool is_text() const { return kind == Kind::text; }
  [[nodiscard]] bool is_list() const { return kind == Kind::list; }
  [[nodiscard]] bool is_object() const { return kind == Kind::object; }
  [[nodiscard]] bool is_scalar() const { return kind != Kind::null && !is_list() && !is_object(); }

  [[nodiscard]] const Json* member(std::string_view name) const;  // null where there is none, or no object
  [[nodiscard]] const Json* item(std::size_t i) const;            // null where there is none, or no list
};

// The rest of `chain` of members below `value`; null where one is missing. "0" is the first item of a list.
const Json* below(const Json* value, std::initializer_list<std::string_view> chain);

// `path` with dots: "scores.choice.metadata.confidence". A name may hold dots itself.
const Json* at_path(const Json& value, std::string_view path);

// A number, or a text that is one as a whole: "-1.37", "95"; "95%" is 0.95.
std::optional<double> number_in(const Json& value);
std::optional<double> number_in(std::string_view text);

// What a group or an id is called: a text, a number as it is written, true or false. Empty for anything else.
std::string word_in(const Json* value);

// Members named `bytes` are left out: those of tokens are as long as all the rest.
bool parse(JsonValue& value, Json& out);
bool parse(std::string_view text, Json& out);  // which is one value and nothing else

}  // namespace tare::detail::read::llm
