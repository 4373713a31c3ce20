// Text of others (names in files, arguments, headers), fit to be shown: it may not move the cursor, ring the bell, hide
// a line or a letter, or turn the reading direction. What would is written as \xNN (a byte), \uNNNN or \UNNNNNNNN (a
// code point); letters of every script stay.
#pragma once

#include <string>
#include <string_view>

namespace tare::detail {

// Is nothing to be seen of it? Blanks of no width, marks that join or turn, fillers, tags: two names may differ by it
// and look the same. Persian, Hindi and emoji need their joiners: these are letters between letters that are not ASCII.
bool is_hidden(char32_t point, char32_t before = 0, char32_t after = 0);
std::string escape(char32_t point);  // "\u202e"

std::string clean(std::string_view text);  // one line: a name, a message
std::string clean_lines(std::string_view text,
                        bool colours);          // line breaks stay, and colours (ESC [ digits m) if wanted
std::string clean_json(std::string_view json);  // the same text to a JSON parser

}  // namespace tare::detail
