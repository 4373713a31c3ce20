// Text of others (names in files, arguments, headers), fit to be shown: it may not move the cursor, ring the bell, hide
// a line or turn the reading direction. What would is written as \xNN (a byte) or \uNNNN (a code point); letters of
// every script stay.
#pragma once

#include <string>
#include <string_view>

namespace tare::inner {

std::string clean(std::string_view text);  // one line: a name, a message
std::string clean_lines(std::string_view text,
                        bool colours);          // line breaks stay, and colours (ESC [ digits m) if wanted
std::string clean_json(std::string_view json);  // the same text to a JSON parser

}  // namespace tare::inner
