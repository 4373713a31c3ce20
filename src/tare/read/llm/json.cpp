#include "tare/read/llm/json.hpp"

#include <algorithm>
#include <utility>

#include "tare/read/csv_cell.hpp"

namespace tare::inner::read::llm {
namespace {

constexpr int deepest_value = 64;
constexpr std::size_t most_values = std::size_t{1} << 22;  // 60,000 tokens with 20 others each are fewer

bool parse_value(JsonText& in, Json& out, int depth, std::size_t& left) {
  if (depth > deepest_value || left-- == 0) return false;
  const char c = in.peek();
  if (c == '"') {
    out.kind = Json::Kind::text;
    return in.text(out.text);
  }
  if (c == '{' || c == '[') {
    out.kind = c == '{' ? Json::Kind::object : Json::Kind::list;
    const char close = c == '{' ? '}' : ']';
    in.take(c);
    if (in.take(close)) return true;
    do {
      std::string name;
      if (c == '{' && (!in.text(name) || !in.take(':'))) return false;
      if (name == "bytes") {  // of tokens: as long as all the rest
        if (!in.skip_value(depth + 1)) return false;
        continue;
      }
      out.items.emplace_back();
      if (c == '{') out.names.push_back(std::move(name));
      if (!parse_value(in, out.items.back(), depth + 1, left)) return false;
    } while (in.take(','));
    return in.take(close);
  }
  if (in.word("null")) return true;
  const bool truth = in.word("true");
  if (truth || in.word("false")) {
    out.kind = Json::Kind::boolean;
    out.number = truth;
    return true;
  }
  std::string_view token;
  out.kind = Json::Kind::number;
  if (!in.number(out.number, token)) return false;
  out.text = token;
  return true;
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
  JsonText in{text.data(), text.data() + text.size()};
  double out = 0;
  std::string_view token;
  if (!in.number(out, token) || in.at != in.end) return std::nullopt;
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

bool parse(JsonText& in, Json& out) {
  std::size_t left = most_values;
  return parse_value(in, out, 0, left);
}

bool each_member(JsonText& in, const std::function<bool(const std::string& name)>& each) {
  if (!in.take('{')) return false;
  if (in.take('}')) return true;
  std::string name;
  do {
    if (!in.text(name) || !in.take(':') || !each(name)) return false;
  } while (in.take(','));
  return in.take('}');
}

}  // namespace tare::inner::read::llm
