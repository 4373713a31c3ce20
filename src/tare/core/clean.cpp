#include "tare/core/clean.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

namespace tare::detail {
namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;
};

// The code point at the beginning, unless the bytes there are not UTF-8.
std::optional<CodePoint> first_point(std::string_view s) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned lead = at(0);
  if (lead < 0x80) return CodePoint{lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || s.size() < bytes) return std::nullopt;
  char32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((at(i) & 0xC0U) != 0x80U) return std::nullopt;
    value = value << 6 | (at(i) & 0x3FU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[bytes] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return std::nullopt;
  return CodePoint{value, bytes};
}

bool controls(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

std::string hex(char32_t value, int digits) {
  std::string out;
  for (int d = digits - 1; d >= 0; --d) out += "0123456789abcdef"[value >> (4 * d) & 0xF];
  return out;
}

// Two halves beyond the first 65,536, as JSON has it.
std::string json_escape(char32_t c) {
  if (c <= 0xFFFF) return "\\u" + hex(c, 4);
  return "\\u" + hex(0xD800 + ((c - 0x10000) >> 10), 4) + "\\u" + hex(0xDC00 + ((c - 0x10000) & 0x3FF), 4);
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
  char32_t before = 0;
  while (!text.empty()) {
    const auto point = first_point(text);
    const auto next = point && point->value > 0x7F && text.size() > point->bytes
                          ? first_point(text.substr(point->bytes))
                          : std::optional<CodePoint>();
    const bool hidden = point && is_hidden(point->value, before, next ? next->value : 0);
    before = point ? point->value : 0;
    std::size_t taken = point ? point->bytes : 1;
    const std::size_t colour = as == As::painted ? colour_at(text) : 0;
    const bool kept = (as != As::line && text[0] == '\n') || (as == As::json && point && point->value < 0x20);
    if (colour > 0) taken = colour;
    if (colour > 0 || kept || (point && !hidden && !controls(point->value)))
      out += text.substr(0, taken);
    else if (point && (point->value > 0x7F || as == As::json))
      out += as == As::json ? json_escape(point->value) : escape(point->value);
    else
      out += "\\x" + hex(static_cast<unsigned char>(text[0]), 2);
    text.remove_prefix(taken);
  }
  return out;
}

}  // namespace

bool is_hidden(char32_t c, char32_t before, char32_t after) {
  if (c < 0xAD) return false;
  if (c == 0x200C || c == 0x200D) return before < 0x80 || after < 0x80 || is_hidden(before) || is_hidden(after);
  constexpr char32_t single[] = {0xAD,   0x34F,  0x61C,  0x115F, 0x1160, 0x17B4, 0x17B5,
                                 0x3164, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFA, 0xFFFB};
  if (c >= 0x180B && c <= 0x180E) return true;
  if ((c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F)) return true;
  if ((c >= 0x1D173 && c <= 0x1D17A) || (c >= 0xE0000 && c <= 0xE0FFF)) return true;
  return std::find(std::begin(single), std::end(single), c) != std::end(single);
}

std::string escape(char32_t c) { return c <= 0xFFFF ? "\\u" + hex(c, 4) : "\\U" + hex(c, 8); }

std::string clean(std::string_view text) { return cleaned(text, As::line); }
std::string clean_lines(std::string_view text, bool colours) {
  return cleaned(text, colours ? As::painted : As::lines);
}
std::string clean_json(std::string_view json) { return cleaned(json, As::json); }

}  // namespace tare::detail
