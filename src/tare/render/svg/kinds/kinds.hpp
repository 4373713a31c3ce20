// One picture for each kind of `tare plot` that is about one question, as SVG: alone, or inlined in a page, which says
// the heading itself. Drawn from results, nothing is computed; exact numbers are tips on the marks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tare/core/bias.hpp"
#include "tare/core/bin_choice.hpp"
#include "tare/core/detectable_curve.hpp"
#include "tare/core/rejection.hpp"
#include "tare/core/result.hpp"
#include "tare/core/survey.hpp"

namespace tare::inner::render {

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

// Accuracy among the most confident share of the rows, with the interval of each share, and what the model claims.
std::string rejection_svg(const RejectionCurve& curve, bool heading = true);

// The smallest error that the test finds, against the number of rows.
Result<std::string> detectable_svg(const DetectableCurve& curve, bool heading = true);

// Binned errors against the number of bins and against the number of rows, each over its chance level.
std::string bins_svg(const BinChoice& choice, bool heading = true);

}  // namespace tare::inner::render
