// tare measure: every estimator on one fold, or one line for each of several files.
#include <algorithm>

#include "tare/analysis/bias.hpp"
#include "tare/analysis/compare.hpp"
#include "tare/cli/measure.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/core/clean.hpp"
#include "tare/read/roles.hpp"

namespace tare::detail::cli {
namespace of_measure {

const Page page{
    .name = "tare measure",
    .synopsis = {"tare measure FILE... [options]", "tare measure --logits F --labels F [options]",
                 "tare measure --probs F --labels F [options]", "tare measure --confidences F --correct F [options]",
                 "tare measure --confidences F --predictions F --labels F [options]"},
    .description =
        {"Says whether confidences can be trusted: one sentence, the estimated true error with its interval, the "
         "reliability diagram, and the five numbers that people quote. --all prints every estimator of `tare list`; "
         "--json has them always.",
         "The sentence follows from one test (`tare test`): miscalibrated if it rejects calibration at 5%. If it does "
         "not, the sentence says which error these rows would have shown; where that is more than ten points, the "
         "verdict is \"cannot tell\". The interval of the true error begins above 0 exactly when the test rejects.",
         "No estimator is 0 for a perfectly calibrated model, so each number is shown with what chance alone makes: "
         "labels are redrawn from the scores many times, and the mean and the 95% quantile of the same estimator are "
         "its noise. A number below that quantile is within noise.",
         "F names a .npy, .npz, .safetensors, .csv, .tsv or .jsonl file (text also .gz), one array of an archive "
         "(file.npz:array), one column of a table (file.csv:column) or several: a pattern ('file.csv:p_*', "
         "'file.csv:p_[0-9]*'), a range (file.csv:0-9) or a list (file.csv:p0,p1,p7). What the numbers are is "
         "declared, never guessed from their values. Data that are not what they were declared to be are an error with "
         "file, row and value. Everything about input: docs/guide/your_data.md.",
         "With --bias a calibration curve is fitted to the data and samples of this n are drawn from it: how far is "
         "each estimator from the true error there, on average, and which true error would on average give the value "
         "that it shows here? `tare bbc FILE` shows the fit and the whole table."},
    .names = read::known_names(),
    .examples = {{"tare measure data/resnet110_cifar10.npz --split val",
                  "the validation half of an archive that holds both"},
                 {"tare measure --logits z.npy --labels y.npy --norm 1", "two files, l1 only"},
                 {"tare measure --probs 'table.csv:p_*' --labels table.csv:y --reduction classwise",
                  "columns of a table, every class against the rest"},
                 {"tare measure data/resnet110_cifar10.npz --bias",
                  "also the bias of each estimator, and its corrected value"},
                 {"tare measure runs/*.npz", "one line per model, the best first, with the differences that are real"},
                 {"tare measure model.npz --gate && deploy", "a step of a pipeline"},
                 {"cut -d, -f2,3 log.csv | tare measure - --json | jq '.verdict.outcome'",
                  "a pipe in and out; the header names the columns"}},
};

using Args = MeasureArgs;

// Several files: one line each.
Result<int> measure_files(const Args& args) {
  const analysis::SurveyOptions& asked = args.options;
  if (asked.bias || !asked.resample || asked.reduction == Reduction::classwise)
    return bad_option("several files are measured by their verdicts alone",
                      "leave out --bias, --no-interval and --reduction classwise, or name one file; with --group "
                      "several files are one data set");
  std::vector<read::Dataset> opened;
  std::vector<std::string> inputs;
  for (const std::string& name : args.fold.files) {
    read::Fold fold = args.fold;
    fold.files = {name};
    auto data = read::Dataset::open(fold).value();
    inputs.insert(inputs.end(), data.inputs().begin(), data.inputs().end());
    opened.push_back(std::move(data));
  }
  auto file = Output::open(args.output.path, args.output.format(), inputs).value();
  std::vector<Predictions> models;
  for (const read::Dataset& data : opened) {
    models.push_back(read_rows(data, asked.threads).value());
    if (args.output.json || args.output.csv || file.is_file()) say_notes(models.back(), args.output.quiet);
  }
  ProgressBar bar(args.output.quiet);
  analysis::SurveyOptions options = asked;
  options.progress = bar.callback();
  const auto table = analysis::compare_models(models, options).value();
  bar.clear();
  const auto code = file.write(args.output.shown(table, file.style()));
  if (!code) return code;
  if (file.is_file() && !args.output.quiet) talk("wrote " + clean(args.output.path) + "\n");
  const bool tripped = args.gate && std::any_of(table.models.begin(), table.models.end(), [](const ModelLine& m) {
                         return m.test.verdict.outcome == Outcome::miscalibrated;
                       });
  return tripped ? 1 : *code;
}

Result<int> run(const Args& args) {
  const bool models = args.fold.files.size() > 1 && args.fold.groups.empty();  // with groups they are one data set
  return models ? measure_files(args) : measure_fold(args);
}

void declare(CLI::App& app, Args& args) {
  add_fold(app, args.fold);
  add_groups(app, args.fold);
  CLI::Option* files = app.get_option("FILE")->expected(0, -1)->type_name("F...");
  files->description(files->get_description() +
                     "; several files, one model each, give one table, and with --group they are one data set");
  args.add(app);
  app.add_flag("--gate", args.gate, "exit with 1 if the verdict is miscalibrated, for pipelines")->group("MEASURING");
  args.output.add(app);
}

}  // namespace of_measure

void MeasureArgs::add(CLI::App& app) {
  add_options(app, measure_options(options));
  app.add_flag("--all", all, "print every estimator, not only the five numbers that people quote")->group("OUTPUT");
}

// One file, or several with groups.
Result<int> measure_fold(const MeasureArgs& args) {
  const OutputArgs& output = args.output;
  analysis::SurveyOptions options = args.options;
  if (args.gate && (!options.resample || options.reduction == Reduction::classwise))
    return bad_option("there is no verdict to decide by",
                      "a gate needs `reduction` top_label or positive, and redrawn labels (no `no-interval`)");
  ProgressBar bar(output.quiet);
  options.progress = bar.callback();
  const auto data = read::Dataset::open(args.fold).value();
  auto file = Output::open(output.path, output.format(), data.inputs()).value();
  auto predictions = read_rows(data, options.threads).value();
  output.name(predictions);
  if (output.json || output.csv || file.is_file()) say_notes(predictions, output.quiet);
  const auto survey = analysis::survey(predictions, options).value();
  bar.clear();
  std::optional<BiasReport> bias;
  if (options.bias) {
    bias = analysis::simulated_bias(predictions, options).value();
    bar.clear();
  }
  render::TextOptions style = file.style();
  style.all = args.all || !options.estimators.empty() || options.norms.size() == 1;  // what was asked for is shown
  const BiasReport* shown = bias ? &*bias : nullptr;
  const auto words = [&] {
    const bool whole = style.all || shown || !survey.test;
    return render::text(survey, style, shown) + (whole           ? ""
                                                 : survey.groups ? "Every estimator and every group: --all\n"
                                                                 : "Every estimator: --all\n");
  };
  const auto table = [&] { return survey.groups ? render::csv(*survey.groups) : render::csv(survey); };
  const auto code = file.write(output.json ? render::json(survey, shown) : output.csv ? table() : words());
  if (!code) return code;
  if (file.is_file() && !output.quiet) talk("wrote " + clean(output.path) + "\n");
  return args.gate && survey.test->verdict.outcome == Outcome::miscalibrated ? 1 : *code;
}

const Command measure_command{"measure", "is it calibrated? one verdict, the true error, and every estimator",
                              of_measure::page, declared<of_measure::Args, of_measure::declare, of_measure::run>};

}  // namespace tare::detail::cli
