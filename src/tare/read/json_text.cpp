#include "tare/read/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "tare/read/csv_cell.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::read {
namespace {

constexpr int deepest = 64;

bool hex4(const char*& at, const char* end, std::uint32_t& out) {
  if (end - at < 4) return false;
  const auto r = std::from_chars(at, at + 4, out, 16);
  if (r.ec != std::errc{} || r.ptr != at + 4) return false;
  at += 4;
  return true;
}

// After "\u": one letter, of two halves where it is beyond 16 bits.
bool letter(const char*& at, const char* end, std::string& out) {
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
  put_utf8(c, out);
  return true;
}

}  // namespace

void JsonText::skip_space() {
  while (at != end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) ++at;
}

bool JsonText::done() {
  skip_space();
  return at == end;
}

bool JsonText::take(char c) {
  skip_space();
  if (at == end || *at != c) return false;
  ++at;
  return true;
}

char JsonText::peek() {
  skip_space();
  return at == end ? '\0' : *at;
}

namespace {

// The end of the letters that stand for themselves.
const char* plain_end(const char* at, const char* end) {
  while (at != end && *at != '"' && *at != '\\' && static_cast<unsigned char>(*at) >= 0x20) ++at;
  return at;
}

}  // namespace

bool JsonText::text(std::string& out) {
  out.clear();
  if (!take('"')) return false;
  while (true) {
    const char* const stop = plain_end(at, end);
    if (static_cast<std::size_t>(stop - at) > longest_cell - std::min(out.size(), longest_cell)) return false;
    out.append(at, stop);
    at = stop;
    if (at == end || static_cast<unsigned char>(*at) < 0x20) return false;
    if (*at++ == '"') return true;
    if (at == end) return false;
    constexpr std::string_view short_names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    const char c = *at++;
    if (const std::size_t known = short_names.find(c); known != short_names.npos)
      out += meanings[known];
    else if (c != 'u' || !letter(at, end, out))
      return false;
  }
}

bool JsonText::skip_text() {
  if (!take('"')) return false;
  while (true) {
    at = plain_end(at, end);
    if (at == end || static_cast<unsigned char>(*at) < 0x20) return false;
    if (*at++ == '"') return true;
    if (at == end) return false;
    std::uint32_t ignored = 0;
    const char c = *at++;
    if (std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos && (c != 'u' || !hex4(at, end, ignored)))
      return false;
  }
}

bool JsonText::word(std::string_view expected) {
  skip_space();
  if (!std::string_view(at, static_cast<std::size_t>(end - at)).starts_with(expected)) return false;
  at += expected.size();
  return true;
}

bool JsonText::number(double& out, std::string_view& token) {
  skip_space();
  const char* const start = at;
  const bool minus = at != end && *at == '-';
  if (word("NaN")) {
    out = std::numeric_limits<double>::quiet_NaN();
  } else if (word("-Infinity") || word("Infinity")) {
    out = minus ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  } else if (at == end || (!minus && (*at < '0' || *at > '9'))) {
    return false;
  } else if (parse_number(at, end, out) != Parsed::number) {
    at = start;
    return false;
  }
  token = {start, static_cast<std::size_t>(at - start)};
  return true;
}

bool JsonText::skip_value(int depth) {
  if (depth > deepest) return false;
  const char c = peek();
  double number_ignored = 0;
  std::string_view token;
  if (c == '"') return skip_text();
  if (c != '{' && c != '[') return word("true") || word("false") || word("null") || number(number_ignored, token);
  const char close = c == '{' ? '}' : ']';
  ++at;
  if (take(close)) return true;
  do {
    if (c == '{' && (!skip_text() || !take(':'))) return false;
    if (!skip_value(depth + 1)) return false;
  } while (take(','));
  return take(close);
}

}  // namespace tare::inner::read
