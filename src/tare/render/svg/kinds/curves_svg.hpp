// Several calibration curves in one diagram, each with its band, and the histograms of their scores below.
#pragma once

#include <string>
#include <vector>

#include "tare/core/calibrator_map.hpp"
#include "tare/core/named_curve.hpp"
#include "tare/core/result.hpp"

namespace tare::inner::render {

// At most eight models: more cannot be told apart.
Result<std::string> models_svg(const std::vector<NamedCurve>& models, bool heading = true);

// The same model before and after a calibrator.
std::string before_after_svg(const BeforeAfter& both, bool heading = true);

// What a calibrator makes of every score, over the hit rates of the data.
std::string map_svg(const CalibratorMap& map, bool heading = true);

}  // namespace tare::inner::render
