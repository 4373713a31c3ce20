// A state as bytes, the same on every machine: a header with the low byte first, the group where there is one (version
// 2; older versions of tare read version 1 only), then for each part its own header and columns of numbers of variable
// length, deflated, then a CRC of all that. The reader believes nothing: what it is given may come from anywhere.
#pragma once

#include <string>
#include <string_view>

#include "tare/state/running.hpp"

namespace tare::inner::state {

inline constexpr std::string_view magic = "TARESTAT";  // what a file begins with

Result<std::string> to_bytes(const Running& state);
Result<Running> from_bytes(std::string_view bytes);

}  // namespace tare::inner::state
