// Values from files, fit to be shown: short, and without bytes that would move the cursor.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/clean.hpp"
#include "tare/core/errors.hpp"

namespace tare::detail::read {

inline std::string shortened(std::string_view value) {
  constexpr std::size_t longest = 60;
  std::size_t cut = std::min(longest, value.size());
  while (cut > 0 && cut < value.size() && (static_cast<unsigned char>(value[cut]) & 0xC0U) == 0x80U)
    --cut;  // inside a letter
  const std::string out = clean(value.substr(0, cut));
  return value.size() > longest ? out + "..." : out;
}

// For `what` and `remedy` of an Error.
inline std::string shown(std::string_view value) { return foreign(shortened(value)); }
inline std::string quoted(std::string_view value) { return "'" + shown(value) + "'"; }

// For `value` and `place`.
inline std::string in_quotes(std::string_view value) { return "'" + shortened(value) + "'"; }

// Of a file, by its name: which is no option, whatever it is.
inline Place file_place(const std::string& name) { return {.array = name, .spelled = name}; }

// About a file as a whole.
inline Error bad_file(const std::string& name, std::string what, std::string remedy, Errc code = Errc::bad_input) {
  return {.code = code, .what = std::move(what), .place = file_place(name), .remedy = std::move(remedy)};
}

// "samples.jsonl: line 3"
inline Place line_place(const std::string& name, std::size_t line) {
  return {.array = name, .spelled = name + ": line " + std::to_string(line)};
}

// The shortest text that reads back as the same number.
inline std::string shown(double x) {
  std::array<char, 40> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}

// "12.5%"
inline std::string percent(double share) { return shown(std::round(share * 1000) / 10) + "%"; }

// One letter, by its number.
inline void put_utf8(std::uint32_t c, std::string& out) {
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = 0xFFFD;  // no letter
  const auto byte = [&out](std::uint32_t b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | c >> 6);
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

// How tables say that there is no number.
inline bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "NA" || cell == "N/A" || cell == "NaN" || cell == "nan" || cell == "null" ||
         cell == "NULL" || cell == "<NA>";
}

// "a, b, c", cut after a dozen.
inline std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) out += (i ? ", " : "") + shown(names[i]);
  return names.size() > most ? out + ", ... (" + std::to_string(names.size()) + " in all)" : out;
}

}  // namespace tare::detail::read
