// The reliability diagram in characters: per bin a bar as long as the accuracy and a mark at the mean confidence.
// DeGroot & Fienberg 1983; Guo et al. 2017, Figure 1.
#pragma once

#include <string>
#include <vector>

#include "tare/core/results.hpp"
#include "tare/render/text/text.hpp"

namespace tare::inner::render {

std::string diagram(const std::vector<Bin>& bins, Reduction reduction, const TextOptions& options);

}  // namespace tare::inner::render
