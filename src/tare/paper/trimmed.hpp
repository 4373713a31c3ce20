// A text without the blanks around it.
#pragma once

#include <string_view>

namespace tare::inner::paper {

inline std::string_view trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(" \t\n");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\n") - from + 1);
}

}  // namespace tare::inner::paper
