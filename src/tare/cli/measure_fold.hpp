// Measures one fold and writes the answer: what `measure` and `demo` have in common.
#pragma once

#include "tare/cli/args.hpp"

namespace tare::inner::cli {

Result<int> measure_fold(const read::Fold& fold, const MeasureArgs& measure, const OutputArgs& output);

}  // namespace tare::inner::cli
