// Pictures of a survey as SVG, alone or inlined in a page: drawn from its bins, nothing is computed.
#pragma once

#include <optional>
#include <string>

#include "tare/core/report.hpp"
#include "tare/core/result.hpp"
#include "tare/core/survey.hpp"
#include "tare/render/svg/score_axis.hpp"

namespace tare::inner::render {

// Gaps of groups with their intervals, the strongest evidence first.
std::string groups_svg(const GroupReport& report, bool heading = true);

enum class ReliabilityStyle {
  curve,  // the smooth curve with the band of the whole true one
  bars    // one bar per bin: Guo et al. 2017
};

struct PictureOptions {
  std::string estimator = {};                        // whose bins; empty: the survey's reference
  std::optional<int> norm = {};                      // empty: the first that was measured
  std::optional<std::size_t> class_index = {};       // classwise; empty: the largest error beyond noise
  std::string id = "tare";                           // begins the names of patterns: one for each picture of a page
  bool heading = true;                               // false: a page around the picture says it
  std::vector<Band> band = {};                       // bars: of the bins that are drawn, or empty
  ReliabilityStyle style = ReliabilityStyle::curve;  // bars, too, of a class whose curve was not kept
  AxisKind axis = AxisKind::automatic;               // of the curve
};

// The calibration curve with its band, the diagonal, the bins as marks by their counts, and where the rows are. Of few
// values a dot for each with its interval.
// Bars: mean label per bin, the gap to mean score hatched, counts below; the band of calibrated models, and the
// isotonic curve where one was measured (Dimitriadis, Gneiting and Jordan 2021). DeGroot & Fienberg 1983; Guo et al.
// 2017, Figure 1, bottom row.
Result<std::string> reliability_svg(const Survey& survey, const PictureOptions& options = {});

// The share of rows per bin, with mean score and mean label marked. Guo et al. 2017, Figure 1, top row.
Result<std::string> histogram_svg(const Survey& survey, const PictureOptions& options = {});

struct ComparisonPictureOptions {
  Criterion criterion = Criterion::brier;
  bool heading = true;
};

// After minus before for every calibrator, with the simultaneous intervals.
Result<std::string> compare_svg(const Comparison& comparison, const ComparisonPictureOptions& options = {});

struct BiasPictureOptions {
  int norm = 2;
  std::string source = {};  // of the data the truth was fitted to
};

// Bias of estimators against n (Roelofs et al. 2022, Figures 4 and 5); at a single n one line each, with the spread of
// an estimate.
Result<std::string> bias_svg(const SimTable& table, const BiasPictureOptions& options = {});

}  // namespace tare::inner::render
