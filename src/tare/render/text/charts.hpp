// The pictures of `tare plot` in characters, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "tare/core/comparison.hpp"
#include "tare/core/result.hpp"
#include "tare/core/results.hpp"
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

// `bands`: where the bar of each bin would end by chance, marked; empty: no marks.
std::string diagram(const std::vector<Bin>& bins, const std::vector<Band>& bands, Reduction reduction,
                    const TextOptions& options);

// The calibration curve and its band: a line for each part of the scores.
// Parts of equal width, by logit or of equally many rows, as the axis is; of few values one line each.
std::string curve_diagram(const CurveBand& curve, Reduction reduction, AxisKind axis, const TextOptions& options);

// 0, 25, 50, 75 and 100% over so many columns.
std::string ruler(int columns);

}  // namespace tare::detail::render
