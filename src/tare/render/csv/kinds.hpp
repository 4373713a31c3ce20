// The numbers behind the pictures of render/svg/kinds, as tables.
#pragma once

#include <string>
#include <vector>

#include "tare/core/bin_choice.hpp"
#include "tare/core/calibrator_map.hpp"
#include "tare/core/detectable_curve.hpp"
#include "tare/core/named_curve.hpp"
#include "tare/core/rejection.hpp"

namespace tare::inner::render {

std::string csv(const RejectionCurve& curve);            // one line for each share
std::string csv(const DetectableCurve& curve);           // one line for each number of rows
std::string csv(const BinChoice& choice);                // one line for each estimator, number of bins and of rows
std::string csv(const CalibratorMap& map);               // one line for each point of each line
std::string csv(const std::vector<NamedCurve>& curves);  // one line for each cell of each curve

}  // namespace tare::inner::render
