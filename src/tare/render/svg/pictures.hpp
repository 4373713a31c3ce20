// Pictures of a survey as SVG, alone or inlined in a page: drawn from its bins, nothing is computed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/curve.hpp"
#include "tare/core/plots.hpp"
#include "tare/core/report.hpp"
#include "tare/core/result.hpp"
#include "tare/core/results.hpp"
#include "tare/core/survey.hpp"
#include "tare/core/watch.hpp"
#include "tare/render/svg/score_axis.hpp"
#include "tare/render/svg/svg.hpp"

namespace tare::detail::render {

// Gaps of groups with their intervals, the strongest evidence first.
std::string groups_svg(const GroupReport& report, bool heading = true);

// The three kinds of evidence of a watch day by day, each over its alarm.
Result<std::string> watch_svg(const WatchReport& report);

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

// The bars, whatever style is asked for.
Result<std::string> bars_svg(const Survey& survey, const PictureOptions& options = {});

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

struct EstimatorsPicture {
  std::optional<int> norm = {};      // empty: each estimator in the norm it is usually quoted in
  const BiasReport* bias = nullptr;  // for the corrected values; null: none
  bool heading = true;
};

struct EstimatorLine {
  const Measured* measured = nullptr;
  std::optional<double> corrected = {};
};

// The lines of the picture: those that are meant to be reported first, the others in the order of the table.
std::vector<EstimatorLine> estimator_lines(const Survey& survey, const EstimatorsPicture& options);
Error no_estimators();  // what to say where there is none

// One line for each estimator of an error: its value, what chance shows, its interval, the corrected value.
Result<std::string> estimators_svg(const Survey& survey, const EstimatorsPicture& options = {});

// At most eight models: more cannot be told apart.
Result<std::string> models_svg(const std::vector<NamedCurve>& models, bool heading = true);

// The same model before and after a calibrator.
std::string before_after_svg(const BeforeAfter& both, bool heading = true);

struct SmallPicture {
  std::string title;  // what a screen reader says
  std::string description;
  std::string_view patterns;  // begins the names of the page's hatchings
  Reduction reduction = Reduction::classwise;
};

std::string small_reliability_svg(const std::vector<Bin>& bins, const SmallPicture& options);

// The calibration curve with its band. `all`: the curves of the small pictures beside it, itself among them, that have
// the same axes: linear, or by logit where more than half of the rows of one would lie in a twentieth of them.
std::string small_curve_svg(const CurveBand& curve, const std::vector<const CurveBand*>& all,
                            const SmallPicture& options);
// What the bands of such pictures mean, and what their axes are.
std::string small_curves_words(const std::vector<const CurveBand*>& all);

inline constexpr double figure_width = 460;
inline constexpr double heading_height = 90;
inline constexpr double no_heading_height = 14;
inline constexpr std::string_view dark = palette::ink.light;

// The measured line with the bins to draw, or why there is none.
Result<const Measured*> drawn(const Survey& survey, const PictureOptions& options);

// `heading`: source, facts and value above the picture; a page around it says them itself.
Svg figure(const Survey& survey, const Measured& measured, std::string_view kind, double height, bool heading = true);

struct Words {
  std::string_view score, mean_score, rate, over, under;
};
Words words(Reduction reduction);

// "n = 10,000 · K = 10 · top_label"
std::string facts_of(const InputInfo& input);
std::string source_of(const InputInfo& input);

// The name of the data, the facts and a line about the picture.
std::vector<HeadingLine> kind_heading(const InputInfo& input, std::string_view about);
inline constexpr double kind_heading_height = 66, kind_no_heading_height = 14;
constexpr double kind_top(bool heading) { return heading ? kind_heading_height : kind_no_heading_height; }

// "temperature, fitted on ...net.npz (val)", at most `columns` wide: of a path the beginning is left out.
std::string fitted_words(std::string_view method, std::string_view on, std::size_t columns);

// "53.33% to 60%: 115 rows, mean confidence 56.7%, accuracy 47.8%"
std::string bin_tip(const Bin& bin, const Words& say);

}  // namespace tare::detail::render
