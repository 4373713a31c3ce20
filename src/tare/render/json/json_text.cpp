#include "tare/render/json/json_text.hpp"

#include <nlohmann/json.hpp>

namespace tare::detail::render {
namespace {

// Only single numbers and words are given to the library that writes them: its lists and objects need memory even to
// be destroyed, and the program would end where there is none.
std::string written(const nlohmann::json& single) {
  return single.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);  // a file name need not be UTF-8
}

}  // namespace

Json::Json(double x) : text_(written(x)) {}
Json::Json(std::string_view words) : text_(written(words)) {}

Json::Json(std::initializer_list<Member> members) : text_("{}") {
  for (const Member& m : members) set(m.name, m.value);
}

Json Json::array() {
  Json out;
  out.text_ = "[]";
  return out;
}

Json Json::object() {
  Json out;
  out.text_ = "{}";
  return out;
}

void Json::push_back(const Json& value) {
  text_.back() = ',';
  if (text_.size() == 2) text_.pop_back();
  text_ += value.text_;
  text_ += ']';
}

void Json::set(std::string_view name, const Json& value) {
  text_.back() = ',';
  if (text_.size() == 2) text_.pop_back();
  text_ += written(name);
  text_ += ':';
  text_ += value.text_;
  text_ += '}';
}

std::string Json::indented() const { return nlohmann::ordered_json::parse(text_).dump(2) + "\n"; }

}  // namespace tare::detail::render
