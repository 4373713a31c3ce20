// tare measure: every estimator on one fold.
#include "tare/cli/args.hpp"
#include "tare/cli/help.hpp"
#include "tare/cli/program.hpp"

namespace tare::inner::cli {
namespace of_measure {

const Page page{
    .name = "tare measure",
    .synopsis = {"tare measure FILE [options]", "tare measure --logits F --labels F [options]",
                 "tare measure --probs F --labels F [options]", "tare measure --confidences F --correct F [options]",
                 "tare measure --confidences F --predictions F --labels F [options]"},
    .description =
        {"Measures how far confidences are from the truth, by every estimator of `tare list`. Beside each number "
         "stands "
         "what a perfectly calibrated model would show at this n, because no estimator is 0 for it: labels are redrawn "
         "from the scores many times, and the mean and the 95% quantile of the same estimator are its noise. A number "
         "below that quantile is within noise.",
         "F names a .npy, .npz, .csv or .tsv file, one array of an archive (file.npz:array), one column of a table "
         "(file.csv:column) or several ('file.csv:p_*'). What the numbers are is declared, never guessed from their "
         "values. Data that are not what they were declared to be are an error with file, row and value.",
         "With --bias a calibration curve is fitted to the data and samples of this n are drawn from it: how far is "
         "each "
         "estimator from the true error there, on average, and which true error would it have shown as the value it "
         "shows here? `tare bbc FILE --scores empirical` shows the fit and the whole table."},
    .examples = {{"tare measure data/resnet110_cifar10.npz --split val",
                  "the validation half of an archive that holds both"},
                 {"tare measure --logits z.npy --labels y.npy --norm 1", "two files, l1 only"},
                 {"tare measure --probs 'table.csv:p_*' --labels table.csv:y --reduction classwise",
                  "columns of a table, every class against the rest"},
                 {"tare measure data/resnet110_cifar10.npz --bias",
                  "and how much of each number is the measuring itself"},
                 {"cut -d, -f2,3 log.csv | tare measure - --json | jq '.estimates[] | {name, norm, value, verdict}'",
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
  args->measure.add(app);
  app.add_flag("--bias", args->measure.bias,
               "the bias of each estimator of the true error on data like these, and its value corrected for it (some "
               "seconds of simulation; not classwise)")
      ->group("MEASURING");
  args->output.add(app);
  return [args] { return measure_fold(args->fold, args->measure, args->output); };
}

}  // namespace of_measure

const Command measure_command{"measure", "every estimator on one fold, with noise floor, interval and verdict",
                              of_measure::declare};

}  // namespace tare::inner::cli
