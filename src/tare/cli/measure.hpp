// What several commands do to one fold: `tare measure` and `tare demo` measure it, `tare test` and `tare check` test
// it.
#pragma once

#include "tare/analysis/survey.hpp"
#include "tare/analysis/test.hpp"
#include "tare/cli/args.hpp"

namespace tare::detail::cli {

struct MeasureArgs {
  read::Fold fold = {};
  analysis::SurveyOptions options = {};
  bool all = false;   // every estimator in the terminal
  bool gate = false;  // exit with 1 where the verdict is miscalibrated
  OutputArgs output = {};

  void add(CLI::App& app);  // options of the answer
};

Result<int> measure_fold(const MeasureArgs& args);

// With a bar while it works.
Result<TestReport> tested(Predictions& rows, analysis::TestOptions options, const OutputArgs& output);

inline bool is_rejected(const TestReport& report) { return report.gate && report.gate->rejected; }

}  // namespace tare::detail::cli
