// What the parts of a score sum to.
#pragma once

#include <string>
#include <vector>

#include "tare/core/results.hpp"

namespace tare::inner::render {

// "corp: brier score (binary) 0.0542 = brier_mcb 0.0051 - brier_dsc 0.0209 + brier_unc 0.0700", one line per score; of
// parts that are no decomposition of a score one line that lists them.
std::vector<std::string> sums_of(const Measured& m);

}  // namespace tare::inner::render
