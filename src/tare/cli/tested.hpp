// What `tare test` and `tare check` share: the test of a fold, with a bar while it works.
#pragma once

#include "tare/answer/test.hpp"
#include "tare/cli/args.hpp"

namespace tare::inner::cli {

Result<TestReport> tested(Predictions& rows, answer::TestOptions options, const OutputArgs& output);

inline bool is_rejected(const TestReport& report) { return report.gate && report.gate->rejected; }

}  // namespace tare::inner::cli
