// A number in a message: as few digits as read back as the same number, 1e+308 and not 309 digits.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace tare::detail {

inline std::string number_text(double x) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}

}  // namespace tare::detail
