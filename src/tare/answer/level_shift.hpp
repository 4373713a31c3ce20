// Does a shift of the base rates alone explain why calibration is rejected? One intercept per class is fitted to the
// labels (fit/prior_shift.hpp), and the shifted scores are tested once more, in the same way and on the same rows.
#pragma once

#include <optional>

#include "tare/answer/test.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/test_report.hpp"

namespace tare::inner::answer {

// Empty where there is nothing to explain (the first of the tests was not run, or did not reject), where the fit has no
// optimum, for bare confidences, and where a certain prediction was wrong: no shift repairs that.
std::optional<LevelShift> level_shift(const Predictions& predictions, Reduction reduction, const TestReport& report,
                                      const TestOptions& options);

}  // namespace tare::inner::answer
