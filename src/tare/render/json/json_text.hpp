// JSON while it is made: a value is its text, put together from the inside out. Nothing else of the library knows how
// numbers and words are written.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tare::detail::render {

struct Member;

class Json {
 public:
  Json() : text_("null") {}
  Json(double x);  // in the shortest form that reads back as the same number; null if it is not finite
  Json(std::string_view words);
  Json(const std::string& words) : Json(std::string_view(words)) {}
  Json(const char* words) : Json(std::string_view(words)) {}
  template <std::integral T>
  Json(T x) {
    if constexpr (std::same_as<T, bool>)
      text_ = x ? "true" : "false";
    else
      text_ = std::to_string(x);
  }
  template <class T>
  Json(const std::vector<T>& values) : text_("[]") {
    for (const T& v : values) push_back(v);
  }
  template <class T>
  Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}
  Json(std::initializer_list<Member> members);  // an object

  static Json array();
  static Json object();
  void push_back(const Json& value);                   // at the end of an array
  void set(std::string_view name, const Json& value);  // at the end of an object; a name is set once

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string indented() const;  // by two blanks, with a newline at the end

 private:
  std::string text_;
};

struct Member {
  std::string_view name;
  Json value;
};

}  // namespace tare::detail::render
