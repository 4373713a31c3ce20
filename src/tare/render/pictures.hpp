// Pictures of a survey as SVG, alone or inlined in a page: drawn from its bins, nothing is computed.
#pragma once

#include <optional>
#include <string>

#include "tare/core/result.hpp"
#include "tare/core/results.hpp"

namespace tare::render {

struct PictureOptions {
  std::string estimator = {};                   // whose bins; empty: the survey's reference
  std::optional<int> norm = {};                 // empty: the first that was measured
  std::optional<std::size_t> class_index = {};  // classwise; empty: the class with the largest error
  std::string id = "tare";                      // begins the names of patterns: one for each picture of a page
};

// Bars of mean label per bin, the gap to mean score hatched, counts below. DeGroot & Fienberg 1983; Guo et al. 2017,
// Figure 1, bottom row.
Result<std::string> reliability_svg(const Survey& survey, const PictureOptions& options = {});

// The share of rows per bin, with mean score and mean label marked. Guo et al. 2017, Figure 1, top row.
Result<std::string> histogram_svg(const Survey& survey, const PictureOptions& options = {});

}  // namespace tare::render
