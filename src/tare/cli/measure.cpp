// tare measure: every estimator on one fold.
#include "tare/cli/args.hpp"
#include "tare/cli/help.hpp"
#include "tare/cli/program.hpp"
#include "tare/read/roles.hpp"

namespace tare::inner::cli {
namespace of_measure {

const Page page{
    .name = "tare measure",
    .synopsis = {"tare measure FILE [options]", "tare measure --logits F --labels F [options]",
                 "tare measure --probs F --labels F [options]", "tare measure --confidences F --correct F [options]",
                 "tare measure --confidences F --predictions F --labels F [options]"},
    .description =
        {"Says whether confidences can be believed: one sentence, the estimated true error with its interval, the "
         "reliability diagram, and the five numbers that people quote. --all prints every estimator of `tare list`; "
         "--json has them always.",
         "The sentence follows from one test (`tare test`): miscalibrated if it rejects calibration at 5%. If it does "
         "not, the sentence says which error these rows would have shown; where that is more than ten points, they "
         "cannot tell. The interval of the true error begins above 0 exactly when the test rejects.",
         "No estimator is 0 for a perfectly calibrated model, so beside each number stands what it shows by chance: "
         "labels are redrawn from the scores many times, and the mean and the 95% quantile of the same estimator are "
         "its noise. A number below that quantile is within noise.",
         "F names a .npy, .npz, .csv or .tsv file, one array of an archive (file.npz:array), one column of a table "
         "(file.csv:column) or several: a pattern ('file.csv:p_*', 'file.csv:p_[0-9]*'), a range (file.csv:0-9) or a "
         "list (file.csv:p0,p1,p7). What the numbers are is declared, never guessed from their values. Data that are "
         "not what they were declared to be are an error with file, row and value.",
         "With --bias a calibration curve is fitted to the data and samples of this n are drawn from it: how far is "
         "each "
         "estimator from the true error there, on average, and which true error would it have shown as the value it "
         "shows here? `tare bbc FILE` shows the fit and the whole table."},
    .names = read::known_names(),
    .examples = {{"tare measure data/resnet110_cifar10.npz --split val",
                  "the validation half of an archive that holds both"},
                 {"tare measure --logits z.npy --labels y.npy --norm 1", "two files, l1 only"},
                 {"tare measure --probs 'table.csv:p_*' --labels table.csv:y --reduction classwise",
                  "columns of a table, every class against the rest"},
                 {"tare measure data/resnet110_cifar10.npz --bias",
                  "and how much of each number is the measuring itself"},
                 {"tare measure model.npz --gate && deploy", "a step of a pipeline"},
                 {"cut -d, -f2,3 log.csv | tare measure - --json | jq '.verdict.outcome'",
                  "a pipe in and out; the header names the columns"}},
};

struct Args {
  read::Fold fold;
  MeasureArgs measure;
  OutputArgs output;
};

std::function<Result<int>()> declare(CLI::App& app) {
  const auto args = std::make_shared<Args>();
  app.formatter(std::make_shared<ManPage>(page));
  add_fold(app, args->fold);
  add_groups(app, args->fold);
  args->measure.add(app);
  app.add_flag("--bias", args->measure.bias,
               "the bias of each estimator of the true error on data like these, and its value corrected for it (some "
               "seconds of simulation; not classwise)")
      ->group("MEASURING");
  app.add_flag("--gate", args->measure.gate, "exit with 1 if the verdict is miscalibrated, for pipelines")
      ->group("MEASURING");
  args->output.add(app);
  return [args] { return measure_fold(args->fold, args->measure, args->output); };
}

}  // namespace of_measure

const Command measure_command{"measure", "is it calibrated? one verdict, the true error, and every estimator",
                              of_measure::declare};

}  // namespace tare::inner::cli
