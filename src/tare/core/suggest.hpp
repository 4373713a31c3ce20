// The word somebody may have meant: optimal string alignment distance (edits and swapped neighbours).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tare::detail {

std::size_t edit_distance(std::string_view a, std::string_view b);

// The known words that may be meant, whatever their case: those that contain it, unless they are many, else the nearest
// one. Empty: none is close. What is typed may be of any length, and the known words many.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

// "did you mean X?" or "did you mean X or Y?" when a known word is close, else `otherwise`.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known, const std::string& otherwise);

}  // namespace tare::detail
