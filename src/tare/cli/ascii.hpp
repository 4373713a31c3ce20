// Text for terminals and locales that know no more than ASCII: every other character becomes one that looks like it.
#pragma once

#include <string>
#include <string_view>

namespace tare::inner::cli {

// LC_ALL, LC_CTYPE or LANG, whichever is set first, names C, POSIX or a character set that is not UTF-8.
bool wants_ascii();

// One character for each, so that columns stay where they are; ? for what looks like nothing.
std::string ascii(std::string_view utf8);

}  // namespace tare::inner::cli
