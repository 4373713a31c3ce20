// Words whatever their case: A to Z become a to z, all else stays.
#pragma once

#include <string>
#include <string_view>

namespace tare::detail {

inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace tare::detail
