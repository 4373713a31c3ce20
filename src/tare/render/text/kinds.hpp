// The pictures of render/svg/kinds in a terminal: their numbers as tables, with bars.
#pragma once

#include <string>
#include <vector>

#include "tare/core/calibrator_map.hpp"
#include "tare/core/named_curve.hpp"
#include "tare/render/svg/kinds/kinds.hpp"
#include "tare/render/text/text.hpp"

namespace tare::inner::render {

Result<std::string> estimators_chart(const Survey& survey, const EstimatorsPicture& picture,
                                     const TextOptions& options);
std::string rejection_chart(const RejectionCurve& curve, const TextOptions& options);
std::string detectable_chart(const DetectableCurve& curve, const TextOptions& options);
std::string bins_chart(const BinChoice& choice, const TextOptions& options);
std::string kind_table(const CalibratorMap& map, const TextOptions& options);
std::string kind_table(const std::vector<NamedCurve>& curves, const TextOptions& options);

}  // namespace tare::inner::render
