// The word somebody may have meant: optimal string alignment distance (edits and swapped neighbours).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tare::inner {

std::size_t edit_distance(std::string_view a, std::string_view b);

// "did you mean X?" when a known word is close, else `otherwise`.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known, const std::string& otherwise);

}  // namespace tare::inner
