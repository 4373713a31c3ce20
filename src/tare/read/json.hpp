// JSON by simdjson, one value of a longer text at a time, with what Python writes besides: NaN, Infinity, -Infinity.
// By hand are numbers (their text is wanted, and read as in csv_cell.hpp), escapes (simdjson 3.0 refuses half a pair
// such as \ud83d, which Python writes), and where a value ends: simdjson wants one value at a time, with 64 bytes
// behind it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "tare/core/result.hpp"

namespace tare::detail::read {

using JsonValue = simdjson::ondemand::value;
using JsonDocument = simdjson::ondemand::document;

std::string_view text_of(std::span<const std::byte> bytes);  // without a byte order mark

inline constexpr std::size_t longest_document = (std::size_t{1} << 31) - 1;  // in bytes

std::string_view trimmed(std::string_view text);  // without the space behind it

// A value as it is written; of a list or an object its bracket alone. Empty behind the end of a document whose brackets
// do not match: there simdjson counts backwards, to a length of at least 2 GiB.
inline std::string_view token_of(JsonValue& value) {
  const std::string_view raw = value.raw_json_token();
  return raw.size() > longest_document ? std::string_view() : trimmed(raw);
}
inline std::string_view token_of(JsonDocument& value) {
  std::string_view out;
  return value.raw_json_token().get(out) ? std::string_view() : trimmed(out);
}
inline char first_letter(std::string_view token) { return token.empty() ? '\0' : token[0]; }

// What a token says; false where it is something else.
bool json_number(std::string_view token, double& out);
bool json_text(std::string_view token, std::string& out);  // "...", its escapes as UTF-8

// The name behind the quote at `raw`, in place or in `scratch`.
bool json_name(const char* raw, std::string& scratch, std::string_view& out);

// Reads over a value, which must be JSON as a whole, of at most 64 levels.
bool check_json(JsonValue& value, int depth = 0);

// Calls each(name, value) for the members of an object, in their order, until one returns false. False: it is no
// object, or a member said so.
template <class Value, class Each>
bool each_member(Value& value, const Each& each) {
  simdjson::ondemand::object object;
  if (value.get_object().get(object)) return false;
  std::string scratch;
  std::string_view name;
  for (auto one : object) {
    simdjson::ondemand::field field;
    if (std::move(one).get(field) || !json_name(field.key().raw(), scratch, name)) return false;
    if (!each(name, field.value())) return false;
  }
  return true;
}

// The same with each(value) for the items of a list.
template <class Value, class Each>
bool each_item(Value& value, const Each& each) {
  simdjson::ondemand::array list;
  if (value.get_array().get(list)) return false;
  for (auto one : list) {
    JsonValue item;
    if (std::move(one).get(item) || !each(item)) return false;
  }
  return true;
}

const char* skip_space(const char* at, const char* end);

// Behind the value that begins at `at`, whatever it is; null where it does not end.
const char* value_end(const char* at, const char* end);

// From behind an item to the next one, or to `close`; null where neither follows.
const char* next_item(const char* at, const char* end, char close);

// Calls each(name, begin) for the members of an object that may be too long for simdjson; it returns what follows the
// value, or null to stop. Returns what follows the object; null where it is none, or was left.
template <class Each>
const char* each_long_member(const char* at, const char* end, const Each& each) {
  at = skip_space(at, end);
  if (at == end || *at != '{') return nullptr;
  std::string name;
  for (at = skip_space(at + 1, end); at != end && *at != '}';) {
    const char* const key = value_end(at, end);
    if (!key || !json_text({at, static_cast<std::size_t>(key - at)}, name)) return nullptr;
    at = skip_space(key, end);
    if (at == end || *at != ':') return nullptr;
    const char* const from = skip_space(at + 1, end);
    if (from == end || !(at = each(name, from)) || !(at = next_item(at, end, '}'))) return nullptr;
  }
  return at == end ? nullptr : at + 1;
}

// One value of a text, open for reading.
class JsonReader {
 public:
  // False: it is not JSON at once, not UTF-8, or too long.
  bool open(const char* begin, const char* end);
  // The same of a list, an object or a scalar, which must be JSON as a whole.
  bool check(const char* begin, const char* end);
  JsonDocument& document() { return document_; }
  [[nodiscard]] bool is_utf8() const { return utf8_; }
  [[nodiscard]] const char* here();  // how far it was read, in the text
  bool at_end();                     // the whole of it was

 private:
  simdjson::ondemand::parser parser_;
  JsonDocument document_;
  std::string copy_;  // of the value, with blanks behind it
  const char *begin_ = nullptr, *end_ = nullptr;
  bool utf8_ = true;
};

// The objects of a text one after the other, each with its line: JSON lines, or those of an array.
class JsonObjects {
 public:
  // Of a whole text, with or without a bracket.
  JsonObjects(std::string_view text, const std::string& file, std::string remedy);
  // From behind an object on, and the bracket of an array.
  JsonObjects(const char* at, const char* end, std::size_t line, bool array, const std::string& file,
              std::string remedy);

  // Calls each(reader, line) until it fails, or `bytes` are read; at least once.
  template <class Each>
  Result<void> read(std::size_t bytes, const Each& each) {
    const char* const start = at_;
    for (bool first = true; more() && (first || static_cast<std::size_t>(at_ - start) < bytes); first = false) {
      if (const auto opened = open(); !opened) return opened;
      if (const auto done = each(reader_, line_); !done) return done.error();
      if (const auto closed = close(); !closed) return closed;
    }
    return more() ? Result<void>() : finish();
  }

  [[nodiscard]] const char* at() const { return at_; }
  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] bool array() const { return array_; }
  [[nodiscard]] bool more() const { return at_ != end_ && *at_ != ']'; }
  [[nodiscard]] bool is_utf8() const { return reader_.is_utf8(); }  // as far as it was read
  // A fault where the reader stands.
  [[nodiscard]] Error wrong(const std::string& what, const std::string& remedy = {});

 private:
  void move_to(const char* to);  // and over what is blank
  Result<void> open();
  Result<void> close();
  Result<void> finish();
  [[nodiscard]] const char* object_end() const;
  [[nodiscard]] Error wrong_at(const char* place, const std::string& what, const std::string& remedy = {}) const;

  const char* at_;
  const char* end_;
  const char* object_end_ = nullptr;
  std::size_t line_;
  bool array_;
  bool several_in_line_ = false;
  std::string file_, remedy_;
  JsonReader reader_;
};

}  // namespace tare::detail::read
