#include "tare/read/llm/json.hpp"

#include <algorithm>

namespace tare::detail::read::llm {
namespace {

constexpr int deepest_value = 64;
constexpr std::size_t most_values = std::size_t{1} << 22;  // 60,000 tokens with 20 others each are fewer

void parse_scalar(std::string_view token, Json& out, bool& fine) {
  if (token == "null") return;
  if (token == "true" || token == "false") {
    out.kind = Json::Kind::boolean;
    out.number = token == "true";
  } else if (first_letter(token) == '"') {
    out.kind = Json::Kind::text;
    fine = json_text(token, out.text);
  } else {
    out.kind = Json::Kind::number;
    out.text = token;
    fine = json_number(token, out.number);
  }
}

template <class Value>
bool parse_value(Value& value, Json& out, int depth, std::size_t& left) {
  if (depth > deepest_value || left-- == 0) return false;
  const std::string_view token = token_of(value);
  if (first_letter(token) == '{') {
    out.kind = Json::Kind::object;
    return each_member(value, [&](std::string_view name, JsonValue& inner) {
      if (name == "bytes") return check_json(inner, depth + 1);
      out.names.emplace_back(name);
      return parse_value(inner, out.items.emplace_back(), depth + 1, left);
    });
  }
  if (first_letter(token) == '[') {
    out.kind = Json::Kind::list;
    return each_item(value,
                     [&](JsonValue& inner) { return parse_value(inner, out.items.emplace_back(), depth + 1, left); });
  }
  bool fine = true;
  parse_scalar(token, out, fine);
  return fine;
}

}  // namespace

const Json* Json::member(std::string_view name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? nullptr : &items[static_cast<std::size_t>(at - names.begin())];
}

const Json* Json::item(std::size_t i) const { return is_list() && i < items.size() ? &items[i] : nullptr; }

const Json* below(const Json* value, std::initializer_list<std::string_view> chain) {
  for (const std::string_view name : chain) {
    if (!value) return nullptr;
    value = value->is_list() && name == "0" ? value->item(0) : value->member(name);
  }
  return value;
}

const Json* at_path(const Json& value, std::string_view path) {
  if (const Json* whole = value.member(path)) return whole;
  for (std::size_t dot = path.rfind('.'); dot != path.npos && dot > 0; dot = path.rfind('.', dot - 1))
    if (const Json* inner = value.member(path.substr(0, dot)))
      if (const Json* found = at_path(*inner, path.substr(dot + 1))) return found;
  return nullptr;
}

std::optional<double> number_in(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  if (text == "-inf") text = "-Infinity";  // what Python's str() makes of it
  double out = 0;
  if (!json_number(text, out)) return std::nullopt;
  return percent ? out / 100 : out;
}

std::optional<double> number_in(const Json& value) {
  if (value.is_text()) return number_in(value.text);
  return value.is(Json::Kind::number) ? std::optional(value.number) : std::nullopt;
}

std::string word_in(const Json* value) {
  if (!value) return {};
  if (value->is(Json::Kind::boolean)) return value->number != 0 ? "true" : "false";
  return value->is_text() || value->is(Json::Kind::number) ? value->text : std::string();
}

bool parse(JsonValue& value, Json& out) {
  std::size_t left = most_values;
  return parse_value(value, out, 0, left);
}

bool parse(std::string_view text, Json& out) {
  text = trimmed(text);
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
  JsonReader reader;
  if (first_letter(text) != '{' && first_letter(text) != '[') {
    bool fine = !text.empty() && reader.check(text.data(), text.data() + text.size());
    if (fine) parse_scalar(text, out, fine);
    return fine;
  }
  std::size_t left = most_values;
  return reader.open(text.data(), text.data() + text.size()) && parse_value(reader.document(), out, 0, left) &&
         reader.at_end();
}

}  // namespace tare::detail::read::llm
