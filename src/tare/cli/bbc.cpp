// tare bbc: bias by construction, on a truth with a name or on one fitted to the user's data.
#include "tare/answer/bias.hpp"

#include "tare/cli/args.hpp"
#include "tare/cli/help.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/cli/signal_guard.hpp"
#include "tare/render/csv/csv.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/text/text.hpp"

namespace tare::inner::cli {
namespace of_bbc {

const Page page{
    .name = "tare bbc",
    .synopsis = {"tare bbc FILE [options]", "tare bbc --logits F --labels F [options]",
                 "tare bbc --model NAME [--perfect] [options]", "tare bbc --beta A,B --curve FAMILY:x,y [options]"},
    .description =
        {"Bias by construction: where scores and hit rates are known, the true calibration error is known, and drawing "
         "samples shows how far each estimator is from it at any n.",
         "With data, a distribution of scores and a calibration curve are fitted to them first, so that the answer is "
         "about "
         "estimators on data like these at this n: which has the least bias and the least error in all, and by how "
         "much "
         "the measured value should be moved. It is moved by inverting the mean estimate along a path of true errors "
         "from "
         "perfect calibration through the fitted curve, and never below 0.",
         "NAME is one of the ten networks of Roelofs et al. 2022 (`tare list` shows them); --perfect keeps their "
         "scores "
         "and makes them calibrated. Ctrl-C prints what is finished. With --checkpoint a killed run goes on where it "
         "was "
         "and ends with the same numbers."},
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
  std::string model, curve, reduction, scores = "empirical", fitted_curve = "aic", saturated = "censor", norm = "both",
                                       checkpoint;
  std::vector<double> beta;
  std::vector<std::size_t> sizes;
  std::vector<std::string> estimators;
  bool perfect = false;
  int bins = options::bins.usual, threads = 0;
  std::size_t replicates = options::replicates.usual;
  std::uint64_t seed = 1;
  OutputArgs output;

  [[nodiscard]] bool names_truth() const { return !model.empty() || !beta.empty() || !curve.empty(); }
  [[nodiscard]] bool names_data() const {
    return !fold.files.empty() || !fold.logits.empty() || !fold.probs.empty() || !fold.log_probs.empty() ||
           !fold.confidences.empty();
  }
};

answer::BiasOptions options_of(const Args& args) {
  answer::BiasOptions out{.reduction = reduction_of(args.reduction),
                          .bins = args.bins,
                          .norms = norms_of(args.norm),
                          .estimators = args.estimators,
                          .sizes = args.sizes,
                          .replicates = args.replicates,
                          .seed = args.seed,
                          .threads = threads_of(args.threads),
                          .cancel = &interrupted,
                          .checkpoint = args.checkpoint};
  if (args.scores == "beta") out.fit.scores = simulate::ScoreKind::beta;
  if (args.fitted_curve == "isotonic") out.fit.curve = simulate::CurveChoice::isotonic;
  if (args.saturated == "shift") out.fit.saturated = simulate::Saturated::shift;
  return out;
}

Result<int> run(const Args& args) {
  if (args.names_truth() && args.names_data())
    return Error{.code = Errc::bad_option,
                 .what = "both data and a truth were given",
                 .remedy = "pass a file, or --model, or --beta and --curve"};
  if (args.perfect && args.names_data())
    return Error{.code = Errc::bad_option,
                 .what = "--perfect belongs to --model or --beta",
                 .remedy = "`tare measure` shows the noise of a calibrated model on data"};
  answer::BiasOptions options = options_of(args);
  ProgressBar bar(args.output.quiet);
  options.progress = bar.callback();
  std::optional<read::Dataset> data;
  if (!args.names_truth()) {
    auto opened = read::Dataset::open(args.fold);
    if (!opened) return opened.error();
    data = *std::move(opened);
  }
  std::vector<std::string> inputs = data ? data->inputs() : std::vector<std::string>();
  if (const auto fine = check_not_input(args.checkpoint, inputs); !fine) return fine.error();
  inputs.push_back(args.checkpoint);
  auto file = Output::open(args.output.path, args.output.format(), inputs);
  if (!file) return file.error();
  interrupted = false;
  const SignalGuard guard(SIGINT, [](int) { interrupted = true; });
  const render::TextOptions style = file->style();
  const auto show = [&](const auto& answer) {
    bar.clear();
    return file->write(args.output.json  ? render::json(answer)
                       : args.output.csv ? render::csv(answer)
                                         : render::text(answer, style));
  };
  if (args.names_truth()) {
    const auto table = answer::study_truth(
        {.model = args.model, .beta = args.beta, .curve = args.curve, .perfect = args.perfect}, options);
    return table ? show(*table) : Result<int>(table.error());
  }
  auto predictions = read_rows(*data, options.threads);
  if (!predictions) return predictions.error();
  args.output.name(*predictions);
  const auto report = answer::bias(*predictions, options);
  return report ? show(*report) : Result<int>(report.error());
}

void add_truth(CLI::App& app, Args& args) {
  const char* group = "A TRUTH INSTEAD OF DATA";
  app.add_option("--model", args.model, "a network of Roelofs et al. 2022, by the names of `tare list`")
      ->type_name("NAME")
      ->group(group);
  app.add_flag("--perfect", args.perfect, "the same scores, perfectly calibrated")->group(group);
  add_reals(app, "--beta", args.beta, "scores from a Beta distribution; uniform if only --curve is given")
      ->type_name("A,B")
      ->group(group);
  app.add_option("--curve", args.curve, "hit rates: FAMILY:x,y, such as logit_logit:0.1,0.8 or power:2")
      ->type_name("C")
      ->group(group);
}

void add_study(CLI::App& app, Args& args) {
  const char* fit = "FITTING DATA";
  app.add_option(
         "--scores", args.scores,
         "empirical (default): the data's own scores, resampled; or beta: a distribution fitted to them, as in the "
         "paper")
      ->type_name("beta|empirical")
      ->group(fit)
      ->check(one_of({"beta", "empirical"}));
  app.add_option("--fitted-curve", args.fitted_curve,
                 "aic: the best of 13 curves (default); isotonic: the best one that never falls")
      ->type_name("aic|isotonic")
      ->group(fit)
      ->check(one_of({"aic", "isotonic"}));
  app.add_option("--saturated", args.saturated,
                 "scores within 2^-20 of 0 or 1: censor (default), or shift as the paper does")
      ->type_name("censor|shift")
      ->group(fit)
      ->check(one_of({"censor", "shift"}));
  add_reduction(app, args.reduction, fit, {"top_label", "positive"});
  const char* group = "SIMULATING";
  add_counts(app, "--n", args.sizes,
             "sizes of the samples (200,500,1000,5000; with data: their own n alone, and these beside it)", options::n)
      ->group(group);
  add_number(app, args.replicates, options::replicates, "samples per size", group);
  add_words(app, "--estimators", args.estimators, "only these, with commas between (all that estimate the true error)")
      ->group(group);
  add_bins(app, args.bins, group, "number of bins of binned estimators");
  add_norms(app, args.norm, group, "1, 2 or both (both)");
  add_seed(app, args.seed, group);
  add_threads(app, args.threads, group);
  app.add_option("--checkpoint", args.checkpoint, "a file from which the same command goes on after an interruption")
      ->type_name("F")
      ->group(group);
}

std::function<Result<int>()> declare(CLI::App& app) {
  const auto args = std::make_shared<Args>();
  app.formatter(std::make_shared<ManPage>(page));
  add_fold(app, args->fold);
  add_truth(app, *args);
  add_study(app, *args);
  args->output.add(app);
  return [args] { return run(*args); };
}

}  // namespace of_bbc

const Command bbc_command{"bbc", "how biased is each estimator, at this n, on scores like these?", of_bbc::declare};

}  // namespace tare::inner::cli
