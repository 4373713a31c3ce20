// Numbers as literals of C++ and SQL that read back as the same double.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace tare::detail::render {

inline std::string literal(double x) {
  std::string out = fmt::format("{}", x);  // the shortest that reads back
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

// What was fitted may be named by a file: nothing in it ends a comment.
inline std::string in_comment(std::string_view text) {
  std::string out;
  for (const char c : text) out += static_cast<unsigned char>(c) < ' ' || c == '\\' ? ' ' : c;
  return out;
}

}  // namespace tare::detail::render
