// One cell of a text table at a time: where it ends, what it says, which number it is.
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

#include "tare/read/text.hpp"

namespace tare::detail::read {

inline bool is_break(char c) { return c == '\n' || c == '\r'; }

// No cell and no line of names is longer: a file without line breaks is not a table, and may have no end.
inline constexpr std::size_t longest_cell = std::size_t{1} << 24;

// A place in the text, moving forward cell by cell.
struct Cursor {
  const char* at;
  const char* end;
  char delimiter;
  std::size_t line;

  [[nodiscard]] bool done() const { return at == end; }
  [[nodiscard]] bool at_break() const { return at != end && is_break(*at); }
  [[nodiscard]] bool separates(char c) const { return c == delimiter || (delimiter == ' ' && c == '\t'); }
  [[nodiscard]] bool at_cell_end() const { return at == end || separates(*at) || is_break(*at); }

  void skip_break() {
    if (*at == '\r' && at + 1 != end && at[1] == '\n') ++at;
    ++at;
    ++line;
  }
  // Before a cell; behind it blanks may be what separates.
  void skip_blanks() {
    while (at != end && (*at == ' ' || (*at == '\t' && delimiter != '\t'))) ++at;
  }
  void skip_blanks_behind() {
    if (delimiter != ' ') skip_blanks();
  }
  // From the end of a cell to the next one of the line; false: there is none. Several blanks separate like one.
  bool next() {
    if (delimiter == ' ') {
      skip_blanks();
      return at != end && !is_break(*at);
    }
    if (at == end || *at != delimiter) return false;
    ++at;
    return true;
  }
  // Stops inside a cell that is too long: what follows is then neither separator nor line break.
  void skip_plain() {
    const char* const stop = static_cast<std::size_t>(end - at) > longest_cell ? at + longest_cell : end;
    while (at != stop && !at_cell_end()) ++at;
  }

  // The cell here, unquoted and trimmed, into `out`; the cursor stops at what ends it.
  // False: a quote is not closed (or 16 MiB later), or something follows a closing quote.
  bool cell(std::string& out) {
    out.clear();
    skip_blanks();
    if (at == end || *at != '"') {
      const char* const start = at;
      skip_plain();
      out.assign(start, at);
      out.erase(out.find_last_not_of(" \t") + 1);
      return true;
    }
    for (++at; at != end; ++at) {
      if (*at == '"') {
        if (at + 1 == end || at[1] != '"') break;
        ++at;
      }
      line += *at == '\n';
      out += *at;
      if (out.size() > longest_cell) return false;
    }
    if (at == end) return false;
    ++at;
    skip_blanks_behind();
    return at_cell_end();
  }
};

inline Error bad_quotes(const std::string& name, std::size_t line) {
  return bad_file(name, "line " + std::to_string(line) + ": a quoted cell does not end where its quote ends",
                  "close the quote, and write a quote inside a quoted cell twice");
}

enum class Parsed { number, not_a_number, too_large };

// std::from_chars with what people write besides: a plus sign, and numbers too small for a double.
inline Parsed parse_number(const char*& at, const char* end, double& value) {
  const char* from = at;
  if (from != end && *from == '+' && from + 1 != end && from[1] != '-') ++from;
  const auto r = std::from_chars(from, end, value);
  if (r.ec == std::errc::invalid_argument) return Parsed::not_a_number;
  at = r.ptr;
  if (r.ec == std::errc{}) return Parsed::number;
  // Out of range: underflow rounds to 0, as everywhere; overflow is an error.
  const std::string_view token(from, static_cast<std::size_t>(r.ptr - from));
  const std::size_t digit = token.find_first_not_of("-0");
  const bool tiny = token.find("e-") != token.npos || token.find("E-") != token.npos ||
                    (token.find_first_of("eE") == token.npos && digit != token.npos && token[digit] == '.');
  value = 0;
  return tiny ? Parsed::number : Parsed::too_large;
}

// 0,25 between semicolons is 0.25, and 25% is 0.25: `percent` says that it is 25, to be divided with all others.
inline Parsed parse_spelled(std::string_view cell, char delimiter, bool percent, double& value) {
  std::string plain(cell);
  const std::size_t comma = plain.find(',');
  if (delimiter == ';' && comma != plain.npos && plain.find_first_of(".,", comma + 1) == plain.npos) plain[comma] = '.';
  const bool sign = plain.size() > 1 && plain.back() == '%';
  if (sign) plain.erase(plain.find_last_not_of(" \t", plain.size() - 2) + 1);
  const char* at = plain.data();
  const char* const end = at + plain.size();
  const Parsed parsed = parse_number(at, end, value);
  if (at != end) return Parsed::not_a_number;
  if (sign && !percent) value /= 100;
  return parsed;
}

inline bool is_number(const std::string& s) {
  double value = 0;
  const char* at = s.data();
  const char* const end = at + s.size();
  return parse_number(at, end, value) == Parsed::number && at == end;
}

}  // namespace tare::detail::read
