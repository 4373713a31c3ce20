// A running watch as bytes: the settings, the state of the reference as it was given, and for each day what was said of
// it and its rows in the cells of the watch, from which evidence is worked out again. Whole numbers have the low byte
// first; a CRC of everything stands at the end. The reader believes nothing.
#pragma once

#include <string>
#include <string_view>

#include "tare/watch/watch.hpp"

namespace tare::detail::watch {

inline constexpr std::string_view magic = "TAREWTCH";  // what such a file begins with

std::string to_bytes(const Watch& watch);
// `source`: what to call the bytes where they are wrong.
Result<Watch> from_bytes(std::string_view bytes, const std::string& source);

}  // namespace tare::detail::watch
