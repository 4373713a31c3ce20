// The pictures of `tare plot` in characters, for a terminal.
#pragma once

#include <string>

#include "tare/core/comparison.hpp"
#include "tare/core/result.hpp"
#include "tare/core/simulation.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/text.hpp"

namespace tare::detail::render {

Result<std::string> reliability_chart(const Survey& survey, const PictureOptions& picture, const TextOptions& options);
Result<std::string> histogram_chart(const Survey& survey, const PictureOptions& picture, const TextOptions& options);
// Gaps with their intervals, one line for each group.
std::string groups_chart(const GroupReport& report, const TextOptions& options);
Result<std::string> compare_chart(const Comparison& comparison, const ComparisonPictureOptions& picture,
                                  const TextOptions& options);
Result<std::string> bias_chart(const SimTable& table, const BiasPictureOptions& picture, const TextOptions& options);
Result<std::string> estimators_chart(const Survey& survey, const EstimatorsPicture& picture,
                                     const TextOptions& options);

}  // namespace tare::detail::render
