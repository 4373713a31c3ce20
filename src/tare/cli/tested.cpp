#include "tare/cli/tested.hpp"

#include "tare/cli/progress_bar.hpp"

namespace tare::inner::cli {

Result<TestReport> tested(Predictions& rows, answer::TestOptions options, const OutputArgs& output) {
  output.name(rows);
  ProgressBar bar(output.quiet);
  options.progress = bar.callback();
  auto report = answer::test(rows, options);
  bar.clear();
  return report;
}

}  // namespace tare::inner::cli
