#include "tare/read/json.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "tare/read/csv_cell.hpp"
#include "tare/read/text.hpp"

namespace tare::detail::read {
namespace {

constexpr int deepest = 64;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool hex4(const char*& at, const char* end, std::uint32_t& out) {
  if (end - at < 4) return false;
  const auto r = std::from_chars(at, at + 4, out, 16);
  if (r.ec != std::errc{} || r.ptr != at + 4) return false;
  at += 4;
  return true;
}

// After "\u": one letter, of two halves where it is beyond 16 bits. Half a letter is U+FFFD.
bool letter(const char*& at, const char* end, std::string* out) {
  std::uint32_t c = 0, low = 0;
  if (!hex4(at, end, c)) return false;
  if (c >= 0xD800 && c < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
    const char* after = at + 2;
    if (!hex4(after, end, low)) return false;
    if (low >= 0xDC00 && low < 0xE000) {
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
      at = after;
    }
  }
  if (out) put_utf8(c, *out);
  return true;
}

// What stands between two quotes, without its escapes; or whether it could be had, where `out` is null.
bool unescape(std::string_view text, std::string* out) {
  constexpr std::string_view short_names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  if (out) out->clear();
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    const auto* const stop = static_cast<const char*>(std::memchr(at, '\\', static_cast<std::size_t>(end - at)));
    if (out) out->append(at, stop ? stop : end);
    if (!stop) return true;
    if (stop + 1 == end) return false;
    at = stop + 2;
    const std::size_t known = short_names.find(stop[1]);
    if (known == short_names.npos && (stop[1] != 'u' || !letter(at, end, out))) return false;
    if (known != short_names.npos && out) *out += meanings[known];
  }
}

bool has_escape(std::string_view text) { return text.find('\\') != text.npos; }

// Between its quotes; simdjson has seen that there are two.
bool inside(std::string_view token, std::string_view& out) {
  if (token.size() < 2 || token.front() != '"' || token.back() != '"') return false;
  out = token.substr(1, token.size() - 2);
  return true;
}

bool check_text(std::string_view token) {
  std::string_view text;
  return inside(token, text) && unescape(text, nullptr);
}

// Faster than std::count where breaks are rare.
std::size_t breaks(const char* at, const char* end) {
  std::size_t out = 0;
  while ((at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at))))) ++out, ++at;
  return out;
}

const char* text_end(const char* at, const char* end) {
  for (++at; at != end; ++at) {
    if (*at == '"') return at + 1;
    if (*at == '\\' && ++at == end) return nullptr;
  }
  return nullptr;
}

}  // namespace

std::string_view text_of(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool json_number(std::string_view token, double& out) {
  if (token.empty()) return false;
  const char* at = token.data();
  const char* const end = at + token.size();
  if ((*at >= '0' && *at <= '9') || (*at == '-' && token != "-Infinity"))
    return parse_number(at, end, out) == Parsed::number && at == end;
  const bool infinite = token == "Infinity" || token == "-Infinity";
  if (!infinite && token != "NaN") return false;
  out = infinite ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (*at == '-') out = -out;
  return true;
}

bool json_text(std::string_view token, std::string& out) {
  std::string_view text;
  if (!inside(token, text) || text.size() > longest_cell) return false;
  if (has_escape(text)) return unescape(text, &out);
  out.assign(text);
  return true;
}

bool json_name(const char* raw, std::string& scratch, std::string_view& out) {
  const char* at = raw;
  while (*at != '"' && *at != '\\') ++at;
  const bool plain = *at == '"';
  while (*at != '"') at += *at == '\\' ? 2 : 1;
  out = {raw, static_cast<std::size_t>(at - raw)};
  if (out.size() > longest_cell) return false;
  if (plain) return true;
  if (!unescape(out, &scratch)) return false;
  out = scratch;
  return true;
}

namespace {

bool check_scalar(std::string_view token) {
  double ignored = 0;
  if (first_letter(token) == '"') return check_text(token);
  return token == "true" || token == "false" || token == "null" || json_number(token, ignored);
}

template <class Value>
bool check_any(Value& value, int depth) {
  if (depth > deepest) return false;
  const std::string_view token = token_of(value);
  if (first_letter(token) == '{')
    return each_member(value, [depth](std::string_view, JsonValue& inner) { return check_any(inner, depth + 1); });
  if (first_letter(token) == '[')
    return each_item(value, [depth](JsonValue& inner) { return check_any(inner, depth + 1); });
  return check_scalar(token);
}

}  // namespace

bool check_json(JsonValue& value, int depth) { return check_any(value, depth); }

const char* skip_space(const char* at, const char* end) {
  while (at != end && is_space(*at)) ++at;
  return at;
}

const char* next_item(const char* at, const char* end, char close) {
  at = skip_space(at, end);
  if (at == end || (*at != ',' && *at != close)) return nullptr;
  if (*at == close) return at;
  at = skip_space(at + 1, end);
  return at == end || *at == close ? nullptr : at;
}

const char* value_end(const char* at, const char* end) {
  if (at == end) return nullptr;
  if (*at == '"') return text_end(at, end);
  if (*at != '{' && *at != '[') {
    const char* const begin = at;
    while (at != end && !is_space(*at) && *at != ',' && *at != '}' && *at != ']') ++at;
    return at == begin ? nullptr : at;
  }
  std::size_t depth = 0;
  while (at != end) {
    const char c = *at;
    if (c == '"') {
      at = text_end(at, end);
      if (!at) return nullptr;
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at;
  }
  return nullptr;
}

bool JsonReader::open(const char* begin, const char* end) {
  const auto length = static_cast<std::size_t>(end - begin);
  begin_ = begin;
  end_ = end;
  if (length > longest_document) return false;
  // Blanks behind it, not the text that follows: where brackets do not match, simdjson would read on there.
  copy_.assign(begin, length);
  copy_.append(simdjson::SIMDJSON_PADDING, ' ');
  constexpr std::size_t usual = std::size_t{1} << 16;
  if (parser_.capacity() < length)  // not a little more for each line
    if (parser_.allocate(std::clamp(length + length / 4, usual, simdjson::SIMDJSON_MAXSIZE_BYTES))) return false;
  const auto error = parser_.iterate(copy_.data(), length, length + simdjson::SIMDJSON_PADDING).get(document_);
  utf8_ = error != simdjson::UTF8_ERROR;
  return !error;
}

bool JsonReader::check(const char* begin, const char* end) {
  if (*begin == '{' || *begin == '[') return open(begin, end) && check_any(document_, 0) && at_end();
  const std::string list = "[" + std::string(begin, end) + "]";
  std::size_t count = 0;
  const auto check = [&count](JsonValue& one) { return count++ == 0 && check_any(one, 1); };
  return open(list.data(), list.data() + list.size()) && each_item(document_, check) && count == 1 && at_end();
}

const char* JsonReader::here() {
  const char* at = nullptr;
  if (document_.current_location().get(at) || !at) return end_;
  return std::min(begin_ + (at - copy_.data()), end_);
}

bool JsonReader::at_end() {
  const char* at = nullptr;
  return document_.current_location().get(at) == simdjson::OUT_OF_BOUNDS;
}

JsonObjects::JsonObjects(std::string_view text, const std::string& file, std::string remedy)
    : JsonObjects(text.data(), text.data() + text.size(), 1, false, file, std::move(remedy)) {
  array_ = at_ != end_ && *at_ == '[';
  if (array_) move_to(at_ + 1);
}

JsonObjects::JsonObjects(const char* at, const char* end, std::size_t line, bool array, const std::string& file,
                         std::string remedy)
    : at_(at), end_(end), line_(line), array_(array), file_(file), remedy_(std::move(remedy)) {
  move_to(at);
}

void JsonObjects::move_to(const char* to) {
  to = skip_space(to, end_);
  line_ += breaks(at_, to);
  at_ = to;
}

// Mostly an object is a line: no text holds a line break, and no object "}\n{".
const char* JsonObjects::object_end() const {
  if (!array_ && !several_in_line_) {
    const auto* stop = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
    if (!stop) stop = end_;
    const char* last = stop;
    while (last != at_ && is_space(last[-1])) --last;
    const char* const next = skip_space(stop, end_);
    if (last[-1] == '}' && (next == end_ || *next == '{')) return last;
  }
  const char* const found = value_end(at_, end_);
  return found ? found : at_ + std::min(static_cast<std::size_t>(end_ - at_), longest_cell);
}

Result<void> JsonObjects::open() {
  if (*at_ != '{') return wrong_at(at_, "is not a JSON object");
  object_end_ = object_end();
  if (reader_.open(at_, object_end_)) return {};
  if (const char* const own = value_end(at_, end_); own && own < object_end_) {  // another in its line is damaged
    object_end_ = own;
    if (reader_.open(at_, object_end_)) return {};
  }
  if (reader_.is_utf8()) return wrong_at(at_, "is not a JSON object");
  return wrong_at(at_, "holds letters that are not UTF-8", "write the file in UTF-8, as JSON is");
}

Result<void> JsonObjects::close() {
  several_in_line_ = several_in_line_ || !reader_.at_end();
  move_to(reader_.here());
  if (!array_ || (at_ != end_ && *at_ == ']')) return {};
  if (at_ == end_ || *at_ != ',') return wrong_at(at_, "ends before its array does");
  move_to(at_ + 1);
  return {};
}

Result<void> JsonObjects::finish() {
  if (!array_) return at_ == end_ ? Result<void>() : wrong_at(at_, "is not a JSON object");
  if (at_ == end_) return wrong_at(at_, "ends before its array does");
  const char* const after = skip_space(at_ + 1, end_);
  return after == end_ ? Result<void>() : wrong_at(after, "something follows the objects");
}

Error JsonObjects::wrong(const std::string& what, const std::string& remedy) {
  return wrong_at(reader_.here(), what, remedy);
}

Error JsonObjects::wrong_at(const char* place, const std::string& what, const std::string& remedy) const {
  const std::size_t line = line_ + breaks(at_, std::max(at_, place));
  return bad_input(line_place(file_, line), what, remedy.empty() ? remedy_ : remedy);
}

}  // namespace tare::detail::read
