// The numbers behind the pictures of render/svg/kinds.
#pragma once

#include <string>
#include <vector>

#include "tare/core/bin_choice.hpp"
#include "tare/core/calibrator_map.hpp"
#include "tare/core/detectable_curve.hpp"
#include "tare/core/named_curve.hpp"
#include "tare/core/rejection.hpp"

namespace tare::inner::render {

std::string json(const RejectionCurve& curve);
std::string json(const DetectableCurve& curve);
std::string json(const BinChoice& choice);
std::string json(const CalibratorMap& map);
std::string json(const std::vector<NamedCurve>& curves);

}  // namespace tare::inner::render
