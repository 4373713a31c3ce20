// The calibration curve and its band in characters: a line for each part of the scores.
#pragma once

#include <string>

#include "tare/core/curve.hpp"
#include "tare/core/results.hpp"
#include "tare/render/svg/score_axis.hpp"
#include "tare/render/text/text.hpp"

namespace tare::inner::render {

// Parts of equal width, by logit or of equally many rows, as the axis is; of few values one line each.
std::string curve_diagram(const CurveBand& curve, Reduction reduction, AxisKind axis, const TextOptions& options);

}  // namespace tare::inner::render
