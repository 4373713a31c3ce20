// tare fit: one calibrator, fitted and saved.
#include <fmt/format.h>

#include <algorithm>

#include "tare/answer/compare.hpp"
#include "tare/answer/refit.hpp"
#include "tare/cli/args.hpp"
#include "tare/cli/fit_words.hpp"
#include "tare/cli/help.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/core/clean.hpp"
#include "tare/core/names.hpp"
#include "tare/core/suggest.hpp"
#include "tare/fit/run.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/read/split_column.hpp"

namespace tare::inner::cli {
namespace of_fit {

const Page page{
    .name = "tare fit",
    .synopsis = {"tare fit METHOD FILE -o model.json [options]",
                 "tare fit METHOD --logits F --labels F -o model.json [options]",
                 "tare fit METHOD --confidences F --correct F -o model.json [options]",
                 "tare fit prior_shift FILE --prior 0.9,0.1 -o model.json",
                 "tare fit --cv FILE -o best.json [options]"},
    .description =
        {"Fits a recalibration map on validation outputs and saves it as JSON, for `tare apply`. METHOD is one of the "
         "calibrators of `tare list`. Fit on data the network was not trained on, and not on the data you report on: "
         "of a file with val_* and test_* arrays the val_* ones are used.",
         "The answer says how the fit ended. `converged` is an optimum, certified by its gradient; `at_bound` one on a "
         "bound of the parameters, with a warning; `unbounded` means that no optimum exists, because the classes can "
         "be separated, "
         "and says where the fit stopped instead.",
         "prior_shift needs no labels if it is told, by --prior or --prior-from, the shares of the classes that the "
         "model was calibrated for: it finds those of the new data. Labels that are there are then not used.",
         "With --cv no METHOD is named: every calibrator is tried by cross-validation, what `tare compare` would "
         "recommend is fitted on all rows, and the file records the data, the seed and the folds. Where nothing is "
         "better than the model as it is, the file holds a map that changes nothing, and says so."},
    .examples = {{"tare fit temperature data/resnet110_cifar10.npz -o t.json", "one number, from the validation half"},
                 {"tare fit histogram net.npz --bins 20 --binning mass -o h.json",
                  "twenty bins with equally many rows"},
                 {"tare fit beta --probs p.npy --labels y.npy --json > b.json", "the saved form on standard output"},
                 {"tare fit --cv net.npz -o best.json", "whichever calibrator cross-validation recommends"},
                 {"tare fit prior_shift --logits new.npy --prior-from val.npz -o p.json",
                  "new shares of the classes, from outputs without labels"}},
};

struct Args {
  std::string method;
  read::Fold fold;
  OutputArgs output;
  int bins = options::bins.usual;
  std::string binning = "width";
  std::string shape = "linear";
  double lambda = 0;
  double mu = 0;
  bool smooth_targets = false;
  bool share_rows = false;
  bool share_prior = false;
  std::vector<double> prior = {};
  std::string prior_from = {};
  int max_iterations = 0;
  int threads = 0;
  bool cv = false;
  int folds = options::folds.usual;
  std::uint64_t seed = 1;
  std::string criterion = std::string(name(Criterion::brier));
  std::vector<std::pair<std::string, CLI::Option*>> method_options = {};

  [[nodiscard]] bool given(std::string_view name) const {
    return std::any_of(method_options.begin(), method_options.end(),
                       [&](const auto& o) { return o.first == name && o.second->count() > 0; });
  }
};

void add_method_options(CLI::App& app, Args& a) {
  const auto add = [&](const char* name, CLI::Option* option, const char* type) {
    option->group("METHOD OPTIONS");
    if (*type) option->type_name(type);
    a.method_options.emplace_back(name, option);
    return option;
  };
  add("bins",
      app.add_option("--bins", a.bins,
                     fmt::format("histogram, scaling_binning: number of bins ({})", options::bins.usual)),
      "N")
      ->check(number_of(options::bins));
  add("binning", app.add_option("--binning", a.binning, "histogram: bins of equal width (default) or equal mass"),
      "width|mass")
      ->check(one_of({"width", "mass"}));
  add("shape", app.add_option("--shape", a.shape, "isotonic: linear between the blocks (default) or a step function"),
      "linear|step")
      ->check(one_of({"linear", "step"}));
  add("lambda", app.add_option("--lambda", a.lambda, "matrix, dirichlet: weight of the squared off-diagonal entries"),
      "X")
      ->check(number_of(options::lambda));
  add("mu", app.add_option("--mu", a.mu, "matrix, dirichlet: weight of the squared intercepts"), "X")
      ->check(number_of(options::mu));
  add("smooth_targets",
      app.add_flag("--smooth-targets", a.smooth_targets, "platt, beta: Platt's targets instead of 0 and 1"), "");
  add("share_rows", app.add_flag("--share-rows", a.share_rows, "scaling_binning: all rows for each of its three steps"),
      "");
  add("share_prior",
      app.add_flag("--share-prior", a.share_prior, "bbq: a prior of two rows for all bins together, not for each"), "");
  add("prior",
      add_reals(app, "--prior", a.prior,
                "prior_shift: shares of the classes that the model was calibrated for, with commas between"),
      "X,X,...");
  add("prior", app.add_option("--prior-from", a.prior_from, "prior_shift: the same, counted in a labelled file"), "F");
  add("max_iterations", app.add_option("--max-iterations", a.max_iterations, "stop an iterative fit here"), "N")
      ->check(number_of(options::max_iterations));
}

Result<const fit::Calibrator*> find_method(const Args& a) {
  const fit::Calibrator* row = fit::find(a.method);
  if (!row) return fit::unknown_method(a.method);
  const std::string reads = " " + std::string(row->options) + " ";
  for (const auto& option : a.method_options)
    if (option.second->count() > 0 && reads.find(" " + option.first + " ") == std::string::npos)
      return Error{.code = Errc::bad_option,
                   .what = a.method + " has no use for " + option.second->get_name(),
                   .remedy = row->options.empty() ? "leave it out: this method has no options"
                                                  : "leave it out; `tare list` says which options a method reads"};
  return row;
}

fit::Options options_of(const Args& a) {
  fit::Options out{.bins = a.bins,
                   .binning = a.binning == "mass" ? numeric::Binning::mass : numeric::Binning::width,
                   .step = a.shape == "step"};
  if (a.given("lambda")) out.lambda = a.lambda;
  if (a.given("mu")) out.mu = a.mu;
  out.smooth_targets = a.smooth_targets;
  out.share_rows = a.share_rows;
  out.share_prior = a.share_prior;
  out.max_iterations = a.max_iterations;
  out.threads = threads_of(a.threads);
  out.prior = a.prior;
  return out;
}

// Of a file with a val and a test part the first, unless the other was asked for.
bool takes_val(const read::Fold& fold, read::Files& files) {
  const bool by_name = fold.logits.empty() && fold.probs.empty() && fold.log_probs.empty() && fold.confidences.empty();
  return fold.split.empty() && by_name && fold.files.size() == 1 && files.has_split(fold.files[0], "val", fold.reading);
}

// The shares of the labels of --prior-from.
Result<std::vector<double>> counted_prior(const Args& args, int threads) {
  if (!args.prior.empty())
    return Error{.code = Errc::bad_option,
                 .what = "--prior and --prior-from were both given",
                 .remedy = "give the shares, or the file to count them in"};
  const auto files = std::make_shared<read::Files>();
  read::Fold fold{.files = {args.prior_from}, .reading = args.fold.reading};
  if (takes_val(fold, *files)) fold.split = "val";
  const auto data = read::Dataset::open(fold, read::LabelRule::needed, files);
  if (!data) return data.error();
  const auto predictions = read_rows(*data, threads);
  if (!predictions) return predictions.error();
  return fit::label_shares(*predictions);
}

std::vector<std::string> inputs_of(const Args& args) {
  std::vector<std::string> out = read::inputs_of(args.fold);
  if (!args.prior_from.empty()) out.push_back(args.prior_from);
  return out;
}

// Rows to fit on; `labelled` says whether the truth is among them.
struct FitRows {
  Predictions predictions;
  bool labelled = true;
};

Result<FitRows> rows_to_fit(const Args& args, const fit::Calibrator& row, int threads) {
  const auto files = std::make_shared<read::Files>();
  read::Fold fold = args.fold;
  if (takes_val(fold, *files)) {
    fold.split = "val";
    const auto source = files->open(fold.files[0], fold.reading);
    const bool column = source && read::split_column(**source);
    if (!args.output.quiet && files->has_split(fold.files[0], "test", fold.reading))
      talk(std::string("fitting on the ") + (column ? "val rows of " : "val_* arrays of ") + clean(fold.files[0]) +
           "; --split test takes the others\n");
  }
  const auto rule = row.without_labels ? read::LabelRule::optional : read::LabelRule::needed;
  const auto data = read::Dataset::open(fold, rule, files);
  if (!data) return data.error();
  auto predictions = read_rows(*data, threads);
  if (!predictions) return predictions.error();
  return FitRows{*std::move(predictions), data->labelled()};
}

// Whichever calibrator cross-validation recommends.
Result<int> run_best(Args args) {
  if (!args.method.empty()) {
    if (fit::find(args.method) || !args.fold.files.empty())
      return Error{.code = Errc::bad_option,
                   .what = "--cv chooses the method, and '" + foreign(args.method) + "' was named",
                   .remedy = "leave out one of the two"};
    args.fold.files = {args.method};  // the only word is the file
  }
  for (const auto& option : args.method_options)
    if (option.second->count() > 0 && option.first != "max_iterations")
      return Error{.code = Errc::bad_option,
                   .what = "--cv has no use for " + option.second->get_name(),
                   .remedy = "leave it out: every calibrator is tried as it is"};
  auto file = Output::open(args.output.path, Format::json, read::inputs_of(args.fold));
  if (!file) return file.error();
  answer::CompareOptions options{.criterion = args.criterion, .folds = args.folds, .seed = args.seed};
  options.threads = options.fit.threads = threads_of(args.threads);
  options.fit.max_iterations = args.max_iterations;
  const auto data = rows_to_fit(args, fit::all()[0], options.threads);
  if (!data) return data.error();
  ProgressBar bar(args.output.quiet);
  options.progress = bar.callback();
  const auto comparison = answer::compare(data->predictions, nullptr, options);
  bar.clear();
  if (!comparison) return comparison.error();
  say_notes(data->predictions, args.output.quiet);
  const auto made = answer::refit(*comparison, data->predictions, options.fit);
  if (!made) return made.error();
  if (!args.output.quiet) talk(fit_advice(*made));
  const std::string saved = fit::to_json(*made);
  if (file->is_file()) {
    if (const auto written = file->write(saved); !written) return written;
  }
  const std::string answer = args.output.json ? saved
                                              : "chosen  by " + made->provenance.at("chosen_by") + "\n" +
                                                    fit_summary(*made, *fit::find(made->method), data->predictions,
                                                                true, file->is_file() ? args.output.path : "");
  return print(answer, args.output.format()) ? 0 : 2;
}

Result<int> run(const Args& args) {
  if (args.cv) return run_best(args);
  if (args.method.empty())
    return Error{.code = Errc::bad_option,
                 .what = "no METHOD was named",
                 .remedy = "`tare list` names them all; --cv chooses one"};
  const auto row = find_method(args);
  if (!row) return row.error();
  fit::Options options = options_of(args);
  auto file = Output::open(args.output.path, Format::json, inputs_of(args));
  if (!file) return file.error();
  if (!args.prior_from.empty()) {
    auto prior = counted_prior(args, options.threads);
    if (!prior) return prior.error();
    options.prior = *std::move(prior);
  }
  const auto data = rows_to_fit(args, **row, options.threads);
  if (!data) return data.error();
  const Predictions& predictions = data->predictions;
  options.unlabelled = !data->labelled;
  ProgressBar bar(args.output.quiet);
  bar.stage("fitting " + std::string((*row)->name));
  const auto model = fit::run(**row, predictions, options);
  bar.clear();
  if (!model) return model.error();
  if (!args.output.quiet) talk(fit_advice(*model));
  say_notes(predictions, args.output.quiet);
  const std::string saved = fit::to_json(*model);
  if (file->is_file()) {
    if (const auto written = file->write(saved); !written) return written;
  }
  const std::string answer = args.output.json ? saved
                                              : fit_summary(*model, **row, predictions, data->labelled,
                                                            file->is_file() ? args.output.path : "");
  return print(answer, args.output.format()) ? 0 : 2;
}

std::function<Result<int>()> declare(CLI::App& app) {
  const auto args = std::make_shared<Args>();
  app.formatter(std::make_shared<ManPage>(page));
  app.add_option("METHOD", args->method, "a calibrator of `tare list`")->type_name("")->group("INPUT");
  add_fold(app, args->fold);
  app.get_option("--split")->description("which half of a file with val_* and test_* arrays (val)");
  add_method_options(app, *args);
  const char* choosing = "CHOOSING";
  app.add_flag("--cv", args->cv, "no METHOD: take what cross-validation recommends")->group(choosing);
  add_number(app, args->folds, options::folds, "with --cv: folds", choosing);
  add_criterion(app, args->criterion, choosing);
  add_seed(app, args->seed, choosing, "with --cv: seed of the folds (1)");
  add_threads(app, args->threads, "METHOD OPTIONS");
  app.add_flag("--json", args->output.json, "the saved form on standard output")->group("OUTPUT");
  app.add_option("-o,--output", args->output.path, "where to save the model, whole or not at all")
      ->type_name("F")
      ->group("OUTPUT");
  add_quiet(app, args->output.quiet);
  return [args] { return run(*args); };
}

}  // namespace of_fit

const Command fit_command{"fit", "fit a recalibration map on validation outputs and save it", of_fit::declare};

}  // namespace tare::inner::cli
