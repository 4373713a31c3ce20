// A reader of JSON, one value after the other, as far as tables and headers need it. With what Python writes besides:
// NaN, Infinity and -Infinity.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tare::inner::read {

// A place in the text. Every function says whether what it wants is there, and moves behind it if it is.
struct JsonText {
  const char* at;
  const char* end;

  void skip_space();
  [[nodiscard]] bool done();    // nothing but blanks and line breaks is left
  bool take(char c);            // after blanks and line breaks
  [[nodiscard]] char peek();    // the next letter after these; '\0' at the end
  bool text(std::string& out);  // "...", its escapes as UTF-8
  bool skip_text();             // the same, of any length
  bool number(double& out, std::string_view& token);
  bool word(std::string_view expected);  // true, false, null
  bool skip_value(int depth = 0);        // whatever it is, of at most 64 levels
};

}  // namespace tare::inner::read
