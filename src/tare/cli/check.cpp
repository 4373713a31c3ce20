// tare check: does a saved calibrator still hold on new data?
#include <fmt/format.h>

#include "tare/cli/measure.hpp"
#include "tare/fit/run.hpp"

namespace tare::detail::cli {
namespace of_check {

const Page page{
    .name = "tare check",
    .synopsis = {"tare check MODEL FILE [options]", "tare check MODEL --logits F --labels F [options]"},
    .description = {"Applies a saved calibrator to new, labelled outputs and asks whether the result is calibrated: by "
                    "smooth_test, as `tare test` does, at the level --alpha. Exit code 0: nothing was found against "
                    "it; 1: it does not hold, the result is miscalibrated; 2: it could not run. What the rows could "
                    "have shown is said, too: with few rows nothing is found in anything."},
    .examples = {{"tare check t.json today.npz", "exit code 1 where the map does not hold"},
                 {"tare check t.json --logits z.npy --labels y.npy --alpha 0.01 --json", "for a pipeline"}},
};

struct Args {
  std::string model;
  read::Fold fold;
  analysis::TestOptions options{.gate = true};
  OutputArgs output;
};

Result<int> run(const Args& args) {
  const analysis::TestOptions& options = args.options;
  const auto data = read::Dataset::open(args.fold).value();
  std::vector<std::string> inputs = data.inputs();
  inputs.push_back(args.model);
  auto file = Output::open(args.output.path, args.output.format(), inputs).value();
  const auto model = fit::read_model(args.model).value();
  const auto rows = read_rows(data, options.threads).value();
  auto calibrated = fit::applied(model, rows, options.threads).value();
  const auto report = tested(calibrated, options, args.output).value();
  const bool holds = !is_rejected(report);
  const std::string answer =
      args.output.json ? render::json(report)
                       : fmt::format("After {}: {}\n\n", model.method,
                                     holds ? "nothing is found against it." : "it does not hold on these rows.") +
                             render::text(report, file.style());
  const auto code = file.write(answer);
  if (!code) return code;
  return holds ? 0 : 1;
}

void declare(CLI::App& app, Args& args) {
  add_model(app, args.model);
  add_fold(app, args.fold);
  add_options(app, test_options(args.options).only({"alpha", "reduction", "seed", "threads"}).headed("CHECKING"));
  app.add_flag("--json", args.output.json, "the answer as JSON")->group("OUTPUT");
  add_output(app, args.output.path, "write to this file");
  add_quiet(app, args.output.quiet);
}

}  // namespace of_check

const Command check_command{"check", "does a saved map still hold on new data? exit code 1: no", of_check::page,
                            declared<of_check::Args, of_check::declare, of_check::run>};

}  // namespace tare::detail::cli
