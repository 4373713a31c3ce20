#include "tare/paper/value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace tare::detail::paper {
namespace {

using ParsedJson = nlohmann::ordered_json;

Value value_of(const ParsedJson& json) {
  if (json.is_boolean()) return {json.get<bool>()};
  if (json.is_number()) return {json.get<double>()};
  if (json.is_string()) return {json.get<std::string>()};
  if (json.is_array()) {
    std::vector<Value> out;
    for (const ParsedJson& element : json) out.push_back(value_of(element));
    return {std::move(out)};
  }
  if (json.is_object()) {
    std::vector<Member> out;
    for (const auto& [key, element] : json.items()) out.push_back({key, value_of(element)});
    return {std::move(out)};
  }
  return {};
}

}  // namespace

const Value* Value::find(std::string_view key) const {
  const auto* members = std::get_if<std::vector<Member>>(&is);
  if (!members) return nullptr;
  for (const Member& member : *members)
    if (member.key == key) return &member.value;
  return nullptr;
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

Result<Value> parse_json(std::string_view text, const std::string& source) {
  try {
    return value_of(ParsedJson::parse(text));
  } catch (const ParsedJson::parse_error& failure) {
    return Error{.code = Errc::bad_input,
                 .what = fmt::format("{} is not JSON: {}", foreign(source), foreign(failure.what())),
                 .remedy = "repair the file, or take it from the project again"};
  }
}

std::string json_text(std::string_view text) {
  return ParsedJson(text).dump(-1, ' ', false, ParsedJson::error_handler_t::replace);
}

std::string to_json(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value.is)) return *b ? "true" : "false";
  if (const auto* x = std::get_if<double>(&value.is)) return fmt::format("{}", *x);
  if (const auto* s = std::get_if<std::string>(&value.is)) return json_text(*s);
  std::string out;
  if (const auto* list = std::get_if<std::vector<Value>>(&value.is)) {
    for (const Value& element : *list) out += (out.empty() ? "" : ",") + to_json(element);
    return "[" + out + "]";
  }
  if (const auto* members = std::get_if<std::vector<Member>>(&value.is)) {
    for (const Member& member : *members)
      out += (out.empty() ? "" : ",") + json_text(member.key) + ":" + to_json(member.value);
    return "{" + out + "}";
  }
  return "null";
}

Value merged(Value base, const Value& over) {
  auto* to = std::get_if<std::vector<Member>>(&base.is);
  const auto* from = std::get_if<std::vector<Member>>(&over.is);
  if (!to || !from) return base;
  for (const Member& member : *from) {
    Member* old = nullptr;
    for (Member& m : *to)
      if (m.key == member.key) old = &m;
    if (old)
      old->value = member.value;
    else
      to->push_back(member);
  }
  return base;
}

void Settings::wrong(const std::string& what) const {
  if (problem_->empty()) *problem_ = place_ + ": " + what;
}

Error Settings::error() const {
  return {.code = Errc::bad_input, .what = foreign(*problem_), .remedy = "paper/README.md says what data files hold"};
}

double Settings::number(std::string_view key) const {
  const Value* v = value_->find(key);
  if (const auto* x = v ? std::get_if<double>(&v->is) : nullptr) return *x;
  wrong(fmt::format("'{}' must be a number", key));
  return 1;
}

std::size_t Settings::count(std::string_view key, std::size_t otherwise) const {
  if (!has(key)) return otherwise;
  const double x = number(key);
  if (x >= 1 && x <= 4e9 && x == std::floor(x)) return static_cast<std::size_t>(x);
  wrong(fmt::format("'{}' must be a whole number from 1", key));
  return 1;
}

std::string Settings::text(std::string_view key) const {
  const Value* v = value_->find(key);
  if (const auto* s = v ? std::get_if<std::string>(&v->is) : nullptr) return *s;
  wrong(fmt::format("'{}' must be a text", key));
  return {};
}

bool Settings::flag(std::string_view key, bool otherwise) const {
  const Value* v = value_->find(key);
  if (!v) return otherwise;
  if (const auto* b = std::get_if<bool>(&v->is)) return *b;
  wrong(fmt::format("'{}' must be true or false", key));
  return otherwise;
}

std::vector<double> Settings::numbers(std::string_view key) const {
  const Value* v = value_->find(key);
  std::vector<double> out;
  if (const auto* list = v ? std::get_if<std::vector<Value>>(&v->is) : nullptr) {
    for (const Value& element : *list)
      if (const auto* x = std::get_if<double>(&element.is)) out.push_back(*x);
    if (out.size() == list->size() && !out.empty()) return out;
  } else if (v && std::holds_alternative<std::vector<Member>>(v->is)) {
    Settings range(*v, place_ + "." + std::string(key));
    range.problem_ = problem_;
    const double from = range.number("from"), to = range.number("to");
    const std::size_t many = range.count("count", 2);
    for (std::size_t i = 0; i < many; ++i)
      out.push_back(many == 1 ? from : from + (to - from) * static_cast<double>(i) / static_cast<double>(many - 1));
    return out;
  }
  wrong(fmt::format("'{}' must be a list of numbers, or from, to and count", key));
  return {1};
}

std::vector<std::string> Settings::texts(std::string_view key) const {
  const Value* v = value_->find(key);
  if (!v) return {};
  if (const auto* s = std::get_if<std::string>(&v->is)) return {*s};
  std::vector<std::string> out;
  if (const auto* list = std::get_if<std::vector<Value>>(&v->is)) {
    for (const Value& element : *list)
      if (const auto* s = std::get_if<std::string>(&element.is)) out.push_back(*s);
    if (out.size() == list->size()) return out;
  }
  wrong(fmt::format("'{}' must be a list of texts", key));
  return {};
}

std::vector<Settings> Settings::list(std::string_view key) const {
  const Value* v = value_->find(key);
  std::vector<Settings> out;
  if (!v) return out;
  const auto* list = std::get_if<std::vector<Value>>(&v->is);
  for (std::size_t i = 0; list && i < list->size(); ++i) {
    if (!std::holds_alternative<std::vector<Member>>((*list)[i].is)) break;
    Settings inside((*list)[i], fmt::format("{}.{}[{}]", place_, key, i));
    inside.problem_ = problem_;
    out.push_back(std::move(inside));
  }
  if (!list || out.size() != list->size()) wrong(fmt::format("'{}' must be a list of objects", key));
  return out;
}

}  // namespace tare::detail::paper
