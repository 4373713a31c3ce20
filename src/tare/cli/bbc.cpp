// tare bbc: bias by construction, on a truth with a name or on one fitted to the user's data.
#include "tare/analysis/bias.hpp"

#include "tare/cli/args.hpp"
#include "tare/cli/progress_bar.hpp"

namespace tare::detail::cli {
namespace of_bbc {

const Page page{
    .name = "tare bbc",
    .synopsis = {"tare bbc FILE [options]", "tare bbc --logits F --labels F [options]",
                 "tare bbc --model NAME [--perfect] [options]", "tare bbc --beta A,B --curve FAMILY:x,y [options]"},
    .description =
        {"Bias by construction: where scores and hit rates are known, the true calibration error is known, and drawing "
         "samples shows how far each estimator is from it at any n.",
         "With data, a distribution of scores and a calibration curve are fitted to them first, so that the answer is "
         "about estimators on data like these at this n: which has the least bias and the least error in all, and by "
         "how much the measured value should be moved. It is moved by inverting the mean estimate along a path of true "
         "errors from perfect calibration through the fitted curve, and never below 0.",
         "NAME is one of the ten networks of Roelofs et al. 2022 (`tare list` shows them); --perfect keeps their "
         "scores and makes them calibrated. Ctrl-C prints what is finished. With --checkpoint a killed run goes on "
         "where it was and ends with the same numbers."},
    .examples = {{"tare bbc data/resnet110_cifar10.npz", "how biased are estimators on data like these?"},
                 {"tare bbc --model resnet110_c10 --n 200,500,1000,5000", "a network of the paper"},
                 {"tare bbc --beta 1,1 --curve power:2 --n 1000 --estimators ece_ew,sweep_em --norm 2",
                  "your own scores and curve"},
                 {"tare bbc --model resnet110_c10 --n 12800 --replicates 100000 --checkpoint run.json",
                  "a long run that can be interrupted"}},
};

std::atomic<bool> interrupted = false;

struct Args {
  read::Fold fold;
  analysis::NamedTruth truth;
  analysis::BiasOptions options{.cancel = &interrupted};
  OutputArgs output;

  [[nodiscard]] bool names_truth() const { return !truth.model.empty() || !truth.beta.empty() || !truth.curve.empty(); }
  [[nodiscard]] bool names_data() const {
    return !fold.files.empty() || !fold.logits.empty() || !fold.probs.empty() || !fold.log_probs.empty() ||
           !fold.confidences.empty();
  }
};

Result<int> run(const Args& args) {
  if (args.names_truth() && args.names_data())
    return bad_option("both data and a truth were given", "pass a file, or --model, or --beta and --curve");
  if (args.truth.perfect && args.names_data())
    return bad_option("--perfect belongs to --model or --beta",
                      "`tare measure` shows the noise of a calibrated model on data");
  analysis::BiasOptions options = args.options;
  ProgressBar bar(args.output.quiet);
  options.progress = bar.callback();
  std::optional<read::Dataset> data;
  if (!args.names_truth()) data = read::Dataset::open(args.fold).value();
  std::vector<std::string> inputs = data ? data->inputs() : std::vector<std::string>();
  if (const auto fine = check_not_input(options.checkpoint, inputs); !fine) return fine.error();
  inputs.push_back(options.checkpoint);
  auto file = Output::open(args.output.path, args.output.format(), inputs).value();
  interrupted = false;
  const SignalGuard guard(SIGINT, [](int) { interrupted = true; });
  const auto show = [&](const auto& answer) {
    bar.clear();
    return file.write(args.output.shown(answer, file.style()));
  };
  if (args.names_truth()) {
    const auto table = analysis::study_truth(args.truth, options);
    return table ? show(*table) : Result<int>(table.error());
  }
  auto predictions = read_rows(*data, options.threads).value();
  args.output.name(predictions);
  const auto report = analysis::bias(predictions, options);
  return report ? show(*report) : Result<int>(report.error());
}

void declare(CLI::App& app, Args& args) {
  add_fold(app, args.fold);
  add_options(app, truth_options(args.truth));
  add_options(app, bias_options(args.options));
  args.output.add(app);
}

}  // namespace of_bbc

const Command bbc_command{"bbc", "how biased is each estimator, at this n, on scores like these?", of_bbc::page,
                          declared<of_bbc::Args, of_bbc::declare, of_bbc::run>};

}  // namespace tare::detail::cli
