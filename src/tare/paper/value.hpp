// A data file as it was read: JSON without a library in its interface, and settings that remember what was wrong with
// them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tare/core/result.hpp"

namespace tare::detail::paper {

struct Member;

struct Value {
  std::variant<std::monostate, bool, double, std::string, std::vector<Value>, std::vector<Member>> is;

  [[nodiscard]] const Value* find(std::string_view key) const;  // of an object; null if there is none
};

struct Member {
  std::string key;
  Value value;
};

std::optional<std::string> read_file(const std::string& path);  // nothing where it cannot be read
Result<Value> parse_json(std::string_view text, const std::string& source);
std::string to_json(const Value& value);       // the same value, the same text
std::string json_text(std::string_view text);  // quoted and escaped

// The members of `over` replace those of `base`.
Value merged(Value base, const Value& over);

// An object of a data file, read key by key. What is missing or of the wrong type is written down once, and a default
// returned, so that a study reads its settings first and asks problem() once.
class Settings {
 public:
  Settings(const Value& value, std::string place)
      : value_(&value), place_(std::move(place)), problem_(std::make_shared<std::string>()) {}

  [[nodiscard]] bool has(std::string_view key) const { return value_->find(key) != nullptr; }
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] double number(std::string_view key, double otherwise) const {
    return has(key) ? number(key) : otherwise;
  }
  [[nodiscard]] std::size_t count(std::string_view key, std::size_t otherwise) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key, std::string otherwise) const {
    return has(key) ? text(key) : otherwise;
  }
  [[nodiscard]] bool flag(std::string_view key, bool otherwise = false) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view key) const;  // a list, or {"from": a, "to": b, "count": k}
  [[nodiscard]] std::vector<std::string> texts(
      std::string_view key) const;  // a list, or one; none where the key is missing
  [[nodiscard]] std::vector<Settings> list(std::string_view key) const;  // of objects; none where the key is missing
  [[nodiscard]] const Value& value() const { return *value_; }
  [[nodiscard]] const std::string& place() const { return place_; }

  void wrong(const std::string& what) const;
  [[nodiscard]] const std::string& problem() const { return *problem_; }  // the first, or nothing
  [[nodiscard]] Error error() const;

 private:
  const Value* value_;
  std::string place_;
  std::shared_ptr<std::string> problem_;  // shared with the objects inside
};

// A text without the blanks around it.
inline std::string_view trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(" \t\n");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\n") - from + 1);
}

}  // namespace tare::detail::paper
