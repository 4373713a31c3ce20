#include "tare/cli/group_file_name.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace tare::inner::cli {
namespace {

constexpr std::size_t longest_kept = 180;  // bytes: with the hash and an ending below the 255 of a file system

// Bytes of the character at the front; 0: they are no UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t size = at(0) < 0x80                    ? 1
                           : at(0) >= 0xC2 && at(0) < 0xE0 ? 2
                           : at(0) >= 0xE0 && at(0) < 0xF0 ? 3
                           : at(0) >= 0xF0 && at(0) < 0xF5 ? 4
                                                           : 0;
  if (size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((at(i) & 0xC0) != 0x80) return 0;
  return size;
}

bool is_taken_as_it_is(char c, bool first) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 32 && byte != 127 && std::string_view("/\\:%*?\"<>|").find(c) == std::string_view::npos &&
         !(first && c == '.');
}

// FNV-1a: the same everywhere and for ever.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t out = 0xCBF29CE484222325;
  for (const char c : text) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return out;
}

}  // namespace

std::string group_file_name(std::string_view group) {
  if (group.empty()) return "%-";
  std::string out;
  for (std::size_t i = 0; i < group.size();) {
    const std::size_t size = character_bytes(group.substr(i));
    const bool kept = size > 1 || (size == 1 && is_taken_as_it_is(group[i], i == 0));
    const std::string next =
        kept ? std::string(group.substr(i, size)) : fmt::format("%{:02X}", static_cast<unsigned char>(group[i]));
    if (out.size() + next.size() > longest_kept) return out + fmt::format("%-{:016x}", hash_of(group));
    out += next;
    i += kept ? size : 1;
  }
  return out;
}

}  // namespace tare::inner::cli
