// tare test: is this model miscalibrated, and could this n have told?
#include "tare/cli/measure.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/core/clean.hpp"

namespace tare::detail::cli {
namespace of_test {

const Page page{
    .name = "tare test",
    .synopsis = {"tare test FILE [options]", "tare test --logits F --labels F [options]",
                 "tare test --confidences F --correct F [options]",
                 "tare test FILE --gate [--alpha A] [--statistic NAME]"},
    .description =
        {"Tests whether the labels could have come from the scores. Labels are redrawn from the scores many times, and "
         "the p-value is the share of redrawings whose statistic is at least as extreme as the one observed. That "
         "holds at any n, with ties, and with scores piled up at 1, where the textbook distributions of the classical "
         "tests fail.",
         "Any estimator of `tare list` can be the statistic, and the tests listed there. Beside the p-values stands "
         "the smallest true calibration error that the first test would find at this n, along a path of hit rates c^d "
         "on these scores. If that error is large, \"not rejected\" means little.",
         "A score of exactly 1 with label 0 is impossible for a calibrated model. It is reported on its own.",
         "With --gate the exit status is 1 if calibration is rejected, for pipelines. A gate decides by one statistic: "
         "smooth_test unless --statistic names another."},
    .examples = {{"tare test data/resnet110_cifar10.npz", "every default test"},
                 {"tare test model.npz --gate --alpha 0.01 && deploy", "a step of a pipeline"},
                 {"tare test model.npz --statistic smece,kde --resamples 9999", "other statistics, finer p-values"},
                 {"tare test model.npz --json | jq '.detectable.tce'", "the error this n could have detected"}},
};

struct Args {
  read::Fold fold;
  analysis::TestOptions options;
  bool all = false;
  OutputArgs output;
};

Result<int> run(const Args& args) {
  const analysis::TestOptions& options = args.options;
  const auto data = read::Dataset::open(args.fold).value();
  auto file = Output::open(args.output.path, args.output.format(), data.inputs()).value();
  auto predictions = read_rows(data, options.threads).value();
  const auto report = tested(predictions, options, args.output).value();
  render::TextOptions style = file.style();
  style.all = args.all;
  const bool groups = args.output.csv && report.groups;
  const auto code = file.write(groups ? render::csv(*report.groups) : args.output.shown(report, style));
  if (!code) return code;
  if (file.is_file() && !args.output.quiet) talk("wrote " + clean(args.output.path) + "\n");
  return is_rejected(report) ? 1 : 0;
}

void declare(CLI::App& app, Args& args) {
  add_fold(app, args.fold);
  add_groups(app, args.fold);
  add_options(app, test_options(args.options));
  app.add_flag("--all", args.all, "print every group, not only those with the strongest evidence")->group("OUTPUT");
  args.output.add(app);
}

}  // namespace of_test

Result<TestReport> tested(Predictions& rows, analysis::TestOptions options, const OutputArgs& output) {
  output.name(rows);
  ProgressBar bar(output.quiet);
  options.progress = bar.callback();
  auto report = analysis::test(rows, options);
  bar.clear();
  return report;
}

const Command test_command{"test", "is it miscalibrated? p-values, and what this n could have detected", of_test::page,
                           declared<of_test::Args, of_test::declare, of_test::run>};

}  // namespace tare::detail::cli
