// The reliability diagram in characters: per bin a bar as long as the accuracy and a mark at the mean confidence.
// DeGroot & Fienberg 1983; Guo et al. 2017, Figure 1.
#pragma once

#include <string>
#include <vector>

#include "tare/core/curve.hpp"
#include "tare/core/results.hpp"
#include "tare/render/svg/score_axis.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::render {

// `bands`: where the bar of each bin would end by chance, marked; empty: no marks.
std::string diagram(const std::vector<Bin>& bins, const std::vector<Band>& bands, Reduction reduction,
                    const TextOptions& options);

// The calibration curve and its band: a line for each part of the scores.
// Parts of equal width, by logit or of equally many rows, as the axis is; of few values one line each.
std::string curve_diagram(const CurveBand& curve, Reduction reduction, AxisKind axis, const TextOptions& options);

// 0, 25, 50, 75 and 100% over so many columns.
std::string ruler(int columns);

}  // namespace tare::detail::render
