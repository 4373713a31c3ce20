// The one decision. Terminal, page, JSON, Python and gates speak from it, and none of them decides anything.
//
//   miscalibrated   the p-value of the first test is below alpha. The interval of the error begins above 0 exactly
//   then:
//                   where the test rejects and the interval of the estimate begins at 0, at what the largest part of
//                   the test says for sure; where the test does not reject, at 0.
//   nothing_found   it is not, and an error of `detectable` would have been found: the larger of what the test finds in
//                   95 of 100 samples along the path of detectable.hpp, and of the upper end of the interval, because
//                   errors of other shapes are harder to find.
//   cannot_tell     it is not, and `detectable` is more than ten points, or not known.
//
// A row with a probability of 0 for what happened (within 2^-20) is miscalibration by itself. Its p-value is bounded by
// 2^-20 for each such row, or by ten times the number of them that the scores promise, where that is more: so a
// calibrated model with many scores near 1 is not blamed for the one it may have.
#pragma once

#include <span>

#include "tare/core/test_report.hpp"
#include "tare/measure/sample.hpp"

namespace tare::detail::analysis {

inline constexpr double useful_error = 0.1;  // a sample that shows only larger ones cannot tell

Certain certain_in(const numeric::Ordered& rows);

// The p-value that rows which are certain and wrong give by themselves; 1 if there are none.
double p_of_certain(const Certain& certain);

// `report`: with its tests, the first of which decides, and with `detectable`. `cells`: what the redrawings were
// compared with. `known`: lines that have been measured on these rows, with their intervals.
Verdict verdict_of(const measure::Sample& rows, const measure::Sample& cells, const TestReport& report,
                   std::span<const Measured> known = {});

}  // namespace tare::detail::analysis
