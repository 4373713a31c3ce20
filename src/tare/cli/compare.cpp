// tare compare: every calibrator, fitted on one fold and judged on another, in one table.
#include "tare/analysis/compare.hpp"
#include "tare/cli/args.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/cli/two_folds.hpp"
#include "tare/core/clean.hpp"

namespace tare::detail::cli {
namespace of_compare {

const Page page{
    .name = "tare compare",
    .synopsis = {"tare compare FILE [options]", "tare compare --val F --test F [options]",
                 "tare compare --val-logits F --val-labels F --test-logits F --test-labels F [options]",
                 "tare compare --logits F --labels F [options]", "tare compare --confidences F --correct F [options]"},
    .description =
        {"Fits every calibrator of `tare list` on validation data, applies it to test data, and shows error, NLL, "
         "Brier score and calibration errors side by side. FILE holds arrays named val_logits, val_labels, test_logits "
         "and test_labels (or *_probs). With one fold only, all numbers are those of out-of-fold predictions. Bare "
         "confidences are a problem of two classes, hit or miss: the error stays that of the predictions.",
         "Differences come with intervals that hold for all methods at once, so a difference that is noise is called "
         "noise. Calibration is compared on the signed squared debiased error: differences of a plain ECE mislead, "
         "because its own bias grows as a model gets better.",
         "The winner is chosen on the validation data alone, by a proper score of pooled out-of-fold predictions: "
         "never by ECE, never on the test data. --save fits it on all validation rows (--refit all: on the test rows, "
         "too) and saves it for `tare apply`, with a record of the data, seed and folds; where nothing is better than "
         "the model as it is, nothing is saved and the exit code is 1."},
    .examples = {{"tare compare data/resnet110_cifar10.npz", "a network that comes with the program"},
                 {"tare compare model.npz --methods temperature,isotonic --criterion nll",
                  "two methods, chosen by NLL"},
                 {"tare compare model.npz --estimators ece_ew:1,ece_em:2,smece", "other columns"},
                 {"tare compare model.npz --save best.json", "and keep what is recommended"}},
};

struct Args {
  TwoFolds folds_of;
  analysis::CompareOptions options;
  std::string save = {}, refit = "val";
  bool all = false;
  OutputArgs output;
};

// What is recommended, fitted and saved.
Result<int> save_best(const Args& args, const Comparison& comparison, const Folds& folds, const fit::Options& options,
                      Output& file) {
  const bool both = args.refit == "all" && folds.second;
  const auto all = (both ? analysis::joined(folds.first, *folds.second) : folds.first).value();
  const auto made = analysis::refit(comparison, all, options).value();
  const auto written = file.write(fit::to_json(made));
  if (written && !args.output.quiet && !fit::find(comparison.winner.method)) talk("note: " + made.fit.note + "\n");
  if (written && !args.output.quiet)
    talk(made.method + ", fitted on " + std::to_string(all.n) + " rows; wrote " + clean(args.save) + "\n");
  return written;
}

Result<int> run(const Args& args) {
  analysis::CompareOptions options = args.options;
  options.fit.threads = options.threads;
  ProgressBar bar(args.output.quiet);
  options.progress = bar.callback();
  auto file = Output::open(args.output.path, args.output.format(), args.folds_of.files()).value();
  std::vector<std::string> taken = args.folds_of.files();
  if (!args.output.path.empty()) taken.push_back(args.output.path);
  auto model_file = Output::open(args.save, Format::json, taken);
  if (!args.save.empty() && !model_file) return model_file.error();
  auto folds = args.folds_of.read(options.threads).value();
  args.output.name(folds.second ? *folds.second : folds.first);
  const auto comparison = analysis::compare(folds.first, folds.second ? &*folds.second : nullptr, options).value();
  bar.clear();
  render::TextOptions style = file.style();
  style.all = args.all || !options.estimators.empty();  // what was asked for is shown
  const auto code =
      file.write(args.output.json  ? render::json(comparison)
                 : args.output.csv ? render::csv(comparison)
                                   : render::text(comparison, style) +
                                         (style.all ? "" : "\nMore columns and every difference: --all\n"));
  if (!code || args.save.empty()) return code;
  return save_best(args, comparison, folds, options.fit, *model_file);
}

void declare(CLI::App& app, Args& args) {
  args.folds_of.add(app);
  app.remove_option(app.get_option("--split"));
  add_options(app, compare_options(args.options));
  app.add_flag("--all", args.all, "print every column and every difference")->group("OUTPUT");
  add_option(app, "OUTPUT", "--save", args.save, "F", "fit what is recommended, and save it for `tare apply`");
  add_option(app, "OUTPUT", "--refit", args.refit, "val|all", "rows of that fit: the validation rows, or all (val)")
      ->check(one_of({"val", "all"}));
  args.output.add(app);
}

}  // namespace of_compare

const Command compare_command{"compare", "every calibrator on the same data, in one table; names a winner",
                              of_compare::page, declared<of_compare::Args, of_compare::declare, of_compare::run>};

}  // namespace tare::detail::cli
