// Groups of rows in the terminal.
#pragma once

#include <string>

#include "tare/core/groups.hpp"
#include "tare/render/text/text.hpp"

namespace tare::inner::render {

// The sentences, the groups with the strongest evidence (all of them with `all`), and what the columns mean.
std::string text(const GroupReport& report, const TextOptions& options = {});
// Gaps with their intervals, one line for each group.
std::string groups_chart(const GroupReport& report, const TextOptions& options = {});

}  // namespace tare::inner::render
