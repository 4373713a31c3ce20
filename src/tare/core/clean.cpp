#include "tare/core/clean.hpp"

#include <cstddef>
#include <optional>

namespace tare::inner {
namespace {

struct Point {
  char32_t value = 0;
  std::size_t bytes = 0;
};

// The code point at the beginning, unless the bytes there are not UTF-8.
std::optional<Point> first_point(std::string_view s) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned lead = at(0);
  if (lead < 0x80) return Point{lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || s.size() < bytes) return std::nullopt;
  char32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((at(i) & 0xC0U) != 0x80U) return std::nullopt;
    value = value << 6 | (at(i) & 0x3FU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[bytes] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return std::nullopt;
  return Point{value, bytes};
}

bool controls(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

std::string hex(char32_t value, int digits) {
  std::string out;
  for (int d = digits - 1; d >= 0; --d) out += "0123456789abcdef"[value >> (4 * d) & 0xF];
  return out;
}

// "\x1b[" digits and ; "m", at the beginning: its length, or 0.
std::size_t colour_at(std::string_view s) {
  if (!s.starts_with("\x1b[")) return 0;
  const std::size_t end = s.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && s[end] == 'm' ? end + 1 : 0;
}

enum class As { line, lines, painted, json };

std::string cleaned(std::string_view text, As as) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto point = first_point(text);
    std::size_t taken = point ? point->bytes : 1;
    const std::size_t colour = as == As::painted ? colour_at(text) : 0;
    const bool kept = (as != As::line && text[0] == '\n') || (as == As::json && point && point->value < 0x20);
    if (colour > 0) taken = colour;
    if (colour > 0 || kept || (point && !controls(point->value)))
      out += text.substr(0, taken);
    else if (point && (point->value > 0x7F || as == As::json))
      out += "\\u" + hex(point->value, 4);
    else
      out += "\\x" + hex(static_cast<unsigned char>(text[0]), 2);
    text.remove_prefix(taken);
  }
  return out;
}

}  // namespace

std::string clean(std::string_view text) { return cleaned(text, As::line); }
std::string clean_lines(std::string_view text, bool colours) {
  return cleaned(text, colours ? As::painted : As::lines);
}
std::string clean_json(std::string_view json) { return cleaned(json, As::json); }

}  // namespace tare::inner
