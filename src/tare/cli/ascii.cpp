#include "tare/cli/ascii.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "tare/core/lower.hpp"

namespace tare::inner::cli {
namespace {

constexpr std::pair<std::string_view, char> looks[] = {
    {"█", '#'}, {"▓", '='}, {"░", '.'}, {"▒", ':'}, {"┃", '|'}, {"│", '|'}, {"─", '-'},     {"━", '-'},
    {"╌", '-'}, {"┄", '-'}, {"┆", ':'}, {"┌", '+'}, {"┐", '+'}, {"└", '+'}, {"┘", '+'},     {"├", '+'},
    {"┤", '+'}, {"┬", '+'}, {"┴", '+'}, {"┼", '+'}, {"╵", '|'}, {"╷", '|'}, {"●", '*'},     {"○", 'o'},
    {"■", '#'}, {"□", 'o'}, {"▲", '^'}, {"△", '^'}, {"▼", 'v'}, {"◆", '@'}, {"◇", 'o'},     {"×", 'x'},
    {"▸", '>'}, {"→", '>'}, {"←", '<'}, {"–", '-'}, {"—", '-'}, {"−", '-'}, {"·", '.'},     {"•", '*'},
    {"…", '~'}, {"≈", '~'}, {"≤", '<'}, {"≥", '>'}, {"±", '~'}, {"²", '2'}, {"’", '\''},    {"‘", '\''},
    {"“", '"'}, {"”", '"'}, {"ä", 'a'}, {"ö", 'o'}, {"ü", 'u'}, {"é", 'e'}, {"\u00a0", ' '}};

}  // namespace

bool wants_ascii() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (!value || *value == '\0') continue;
    const std::string text = lower(value);
    return text.find("utf-8") == std::string::npos && text.find("utf8") == std::string::npos;
  }
  return false;
}

std::string ascii(std::string_view utf8) {
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    const auto byte = static_cast<unsigned char>(utf8[at]);
    if (byte < 0x80) {
      out += utf8[at++];
      continue;
    }
    std::size_t length = 1;
    while (at + length < utf8.size() && (static_cast<unsigned char>(utf8[at + length]) & 0xC0U) == 0x80U) ++length;
    const std::string_view one = utf8.substr(at, length);
    const auto* const found =
        std::find_if(std::begin(looks), std::end(looks), [&](const auto& look) { return look.first == one; });
    out += found == std::end(looks) ? '?' : found->second;
    at += length;
  }
  return out;
}

}  // namespace tare::inner::cli
