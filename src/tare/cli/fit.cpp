// tare fit: one calibrator, fitted and saved.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "tare/analysis/compare.hpp"
#include "tare/analysis/input_info.hpp"
#include "tare/cli/args.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/core/clean.hpp"
#include "tare/core/names.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/suggest.hpp"
#include "tare/fit/run.hpp"
#include "tare/fit/spec.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::cli {
namespace {

std::string shown_nll(const std::optional<double>& x) { return x ? fmt::format("{:.6g}", *x) : "infinite"; }

// "shares  0.9, 0.1 -> 0.62, 0.38", of the classes, before and after; of many classes the first ones.
std::string shares_line(const Model& model) {
  const auto listed = [&](const char* name) {
    const auto& shares = std::get<std::vector<double>>(model.parameters.at(name));
    std::string out;
    for (std::size_t c = 0; c < std::min<std::size_t>(shares.size(), 10); ++c)
      out += fmt::format("{}{:.4g}", c ? ", " : "", shares[c]);
    return shares.size() > 10 ? out + ", ..." : out;
  };
  if (!model.parameters.contains("prior") || !model.parameters.contains("shares")) return {};
  return "shares  " + listed("prior") + " -> " + listed("shares") + "\n";
}

// What is said about a fit. `saved`: the file; empty: none.
std::string fit_summary(const Model& model, const fit::Calibrator& row, const Predictions& data, bool labelled,
                        const std::string& saved) {
  const FitReport& fit = model.fit;
  std::string out = fmt::format("method  {} ({})\n", model.method, row.title);
  out += fmt::format("data    {}: n = {}, K = {}, {}\n", clean(data.source),
                     analysis::input_info(data, Reduction::top_label).n, model.k, name(model.input));
  out += fmt::format("status  {}", name(fit.status));
  if (fit.gradient) out += fmt::format(", {} iterations, gradient {:.1e}", fit.iterations, *fit.gradient);
  out += "\n" + shares_line(model);
  out += labelled ? fmt::format("NLL     {} -> {}\n", shown_nll(fit.nll_before), shown_nll(fit.nll_after))
                  : "NLL     not known without labels\n";
  return out + "saved   " + (saved.empty() ? "nowhere; -o FILE saves it" : clean(saved)) + "\n";
}

// Notes and warnings; empty where all is well.
std::string fit_advice(const Model& model) {
  if (model.fit.status == FitStatus::converged || model.fit.note.empty())
    return model.fit.note.empty() ? "" : "note: " + model.fit.note + "\n";
  std::string out = "warning: " + std::string(name(model.fit.status)) + ": " + clean(model.fit.note) + "\n";
  if (model.fit.status == FitStatus::unbounded)
    out += "hint: the map works, but more validation rows or a method with fewer parameters would settle it\n";
  if (model.fit.status == FitStatus::iteration_limit) out += "hint: raise --max-iterations\n";
  return out;
}

}  // namespace

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
         "be separated, and says where the fit stopped instead.",
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
  fit::Options options;
  std::string prior_from = {};
  bool cv = false;
  analysis::CompareOptions choosing;  // with --cv
  std::vector<std::pair<std::string, CLI::Option*>> method_options = {};
};

bool reads(const fit::Calibrator& row, const std::string& option) {
  return (" " + std::string(row.options) + " ").find(" " + option + " ") != std::string::npos;
}

// The calibrators that read an option: "histogram, scaling_binning: "; nothing where many do.
std::string readers(const std::string& option) {
  std::string out;
  int count = 0;
  for (const fit::Calibrator& row : fit::all())
    if (reads(row, option)) out += (count++ ? ", " : "") + std::string(row.name);
  return count == 0 || count > 3 ? "" : out + ": ";
}

void add_method_options(CLI::App& app, Args& a) {
  OptionTable table = fit_options(a.options);
  for (OptionEntry& entry : table) entry.help = readers(entry.name) + entry.help;
  add_options(app, table);
  for (const OptionEntry& entry : table)
    if (entry.name != options::threads.name)
      a.method_options.emplace_back(entry.name, app.get_option("--" + entry.flag()));
  a.method_options.emplace_back("prior", add_option(app, "METHOD OPTIONS", "--prior-from", a.prior_from, "F",
                                                    "prior_shift: the same as --prior, counted in a labelled file"));
}

Result<const fit::Calibrator*> find_method(const Args& a) {
  const fit::Calibrator* row = fit::find(a.method);
  if (!row) return fit::unknown_method(a.method);
  for (const auto& option : a.method_options)
    if (option.second->count() > 0 && !reads(*row, option.first))
      return bad_option(a.method + " has no use for " + option.second->get_name(),
                        row->options.empty() ? "leave it out: this method has no options"
                                             : "leave it out; `tare list` says which options a method reads");
  return row;
}

// Of a file with a val and a test part the first, unless the other was asked for.
bool takes_val(const read::Fold& fold, read::Files& files) {
  const bool by_name = fold.logits.empty() && fold.probs.empty() && fold.log_probs.empty() && fold.confidences.empty();
  return fold.split.empty() && by_name && fold.files.size() == 1 && files.has_split(fold.files[0], "val", fold.reading);
}

// The shares of the labels of --prior-from.
Result<std::vector<double>> counted_prior(const Args& args, int threads) {
  if (!args.options.prior.empty())
    return bad_option("--prior and --prior-from were both given", "give the shares, or the file to count them in");
  const auto files = std::make_shared<read::Files>();
  read::Fold fold{.files = {args.prior_from}, .reading = args.fold.reading};
  if (takes_val(fold, *files)) fold.split = "val";
  const auto data = read::Dataset::open(fold, read::LabelRule::needed, files).value();
  return fit::label_shares(read_rows(data, threads).value());
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
  const auto data = read::Dataset::open(fold, rule, files).value();
  return FitRows{read_rows(data, threads).value(), data.labelled()};
}

// Whichever calibrator cross-validation recommends.
Result<int> run_best(Args args) {
  if (!args.method.empty()) {
    if (fit::find(args.method) || !args.fold.files.empty())
      return bad_option("--cv chooses the method, and '" + foreign(args.method) + "' was named",
                        "leave out one of the two");
    args.fold.files = {args.method};  // the only word is the file
  }
  for (const auto& option : args.method_options)
    if (option.second->count() > 0 && option.first != "max_iterations")
      return bad_option("--cv has no use for " + option.second->get_name(),
                        "leave it out: every calibrator is tried as it is");
  auto file = Output::open(args.output.path, Format::json, read::inputs_of(args.fold)).value();
  analysis::CompareOptions options = args.choosing;
  options.threads = options.fit.threads = args.options.threads;
  options.fit.max_iterations = args.options.max_iterations;
  const auto data = rows_to_fit(args, fit::all()[0], options.threads).value();
  ProgressBar bar(args.output.quiet);
  options.progress = bar.callback();
  const auto comparison = analysis::compare(data.predictions, nullptr, options).value();
  bar.clear();
  say_notes(data.predictions, args.output.quiet);
  const auto made = analysis::refit(comparison, data.predictions, options.fit).value();
  if (!args.output.quiet) talk(fit_advice(made));
  const std::string saved = fit::to_json(made);
  if (file.is_file()) {
    if (const auto written = file.write(saved); !written) return written;
  }
  const std::string answer = args.output.json ? saved
                                              : "chosen  by " + made.provenance.at("chosen_by") + "\n" +
                                                    fit_summary(made, *fit::find(made.method), data.predictions, true,
                                                                file.is_file() ? args.output.path : "");
  return print(answer, args.output.format()) ? 0 : 2;
}

Result<int> run(const Args& args) {
  if (args.cv) return run_best(args);
  if (args.method.empty()) return bad_option("no METHOD was named", "`tare list` names them all; --cv chooses one");
  const auto row = find_method(args).value();
  fit::Options options = args.options;
  auto file = Output::open(args.output.path, Format::json, inputs_of(args)).value();
  if (!args.prior_from.empty()) options.prior = counted_prior(args, options.threads).value();
  const auto data = rows_to_fit(args, *row, options.threads).value();
  const Predictions& predictions = data.predictions;
  options.unlabelled = !data.labelled;
  ProgressBar bar(args.output.quiet);
  bar.stage("fitting " + std::string(row->name));
  const auto model = fit::run(*row, predictions, options).value();
  bar.clear();
  if (!args.output.quiet) talk(fit_advice(model));
  say_notes(predictions, args.output.quiet);
  const std::string saved = fit::to_json(model);
  if (file.is_file()) {
    if (const auto written = file.write(saved); !written) return written;
  }
  const std::string answer =
      args.output.json ? saved
                       : fit_summary(model, *row, predictions, data.labelled, file.is_file() ? args.output.path : "");
  return print(answer, args.output.format()) ? 0 : 2;
}

void declare(CLI::App& app, Args& args) {
  app.add_option("METHOD", args.method, "a calibrator of `tare list`")->type_name("")->group("INPUT");
  add_fold(app, args.fold);
  app.get_option("--split")->description("which half of a file with val_* and test_* arrays (val)");
  add_method_options(app, args);
  app.add_flag("--cv", args.cv, "no METHOD: take what cross-validation recommends")->group("CHOOSING");
  OptionTable choosing = compare_options(args.choosing).only({"criterion", "folds", "seed"}).headed("CHOOSING");
  for (OptionEntry& entry : choosing) entry.help = "with --cv: " + entry.help;
  add_options(app, choosing);
  app.add_flag("--json", args.output.json, "the saved form on standard output")->group("OUTPUT");
  add_output(app, args.output.path, "where to save the model, whole or not at all");
  add_quiet(app, args.output.quiet);
}

}  // namespace of_fit

const Command fit_command{"fit", "fit a recalibration map on validation outputs and save it", of_fit::page,
                          declared<of_fit::Args, of_fit::declare, of_fit::run>};

}  // namespace tare::detail::cli
