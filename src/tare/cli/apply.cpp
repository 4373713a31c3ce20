// tare apply: a saved calibrator on new outputs, block by block, so that neither input nor output must fit into memory.
#include <fmt/format.h>

#include <algorithm>

#include "tare/cli/args.hpp"
#include "tare/cli/help.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/cli/rows_out.hpp"
#include "tare/core/clean.hpp"
#include "tare/door/saved_model.hpp"
#include "tare/fit/run.hpp"
#include "tare/read/text.hpp"

namespace tare::inner::cli {
namespace of_apply {

const Page page{
    .name = "tare apply",
    .synopsis = {"tare apply MODEL FILE -o out.npy [options]", "tare apply MODEL --logits F -o out.npy [options]"},
    .description = {"Applies a calibrator that `tare fit` saved to outputs of the kind and number of classes it was "
                    "fitted on, and "
                    "writes probabilities: n rows of K float64 numbers, or n numbers where the input has one "
                    "per row; a model of two "
                    "classes takes either. The name decides the format: .npy, .npz (one array, probs) or .csv (one "
                    "column for each class). Labels are not needed. The input is mapped and the output written in "
                    "blocks, so neither has to fit into memory."},
    .examples = {{"tare apply t.json --logits test.npy -o probs.npy",
                  "then: tare measure --probs probs.npy --labels y.npy"},
                 {"tare apply t.json data/resnet110_cifar10.npz -o probs.npy", "the test half of an archive"},
                 {"tare apply t.json --logits test.npy -o calibrated.csv", "as a table: one column for each class"}},
};

struct Args {
  std::string model;
  read::Fold fold;
  std::string output;
  bool quiet = false;
  int threads = 0;
};

// One heading for each class, as `tare measure` reads them again.
std::vector<std::string> headings(const Predictions& predictions, std::size_t columns) {
  if (columns == 1) return {predictions.kind == Kind::confidences ? "confidence" : "p_1"};
  std::vector<std::string> out;
  for (std::size_t k = 0; k < columns; ++k)
    out.push_back("p_" + (k < predictions.class_names.size() ? predictions.class_names[k] : std::to_string(k)));
  return out;
}

Result<int> run(const Args& args) {
  if (args.output.empty())
    return Error{.code = Errc::bad_option,
                 .what = "no output file was given",
                 .remedy = "pass -o probs.npy, or -o - for standard output"};
  const auto data = read::Dataset::open(args.fold, read::LabelRule::unwanted);
  if (!data) return data.error();
  std::vector<std::string> inputs = data->inputs();
  inputs.push_back(args.model);
  const Format format = rows_format(args.output);
  auto file = Output::open(args.output, format, inputs);
  if (!file) return file.error();
  const auto model = door::read_model(args.model);
  if (!model) return model.error();
  const int threads = threads_of(args.threads);
  if (data->alone() != nullptr)
    return Error{.code = Errc::bad_input,
                 .what = "a state has no rows to apply a map to",
                 .place = read::file_place(data->source()),
                 .remedy = "name the file of the predictions themselves"};
  const auto predictions = data->read(threads);
  if (!predictions) return predictions.error();
  say_notes(*predictions, args.quiet);
  const auto map = fit::map_for(*model, *predictions);
  if (!map) return map.error();

  const std::size_t n = predictions->n, columns = predictions->matrix ? predictions->matrix->columns() : 1;
  const Reals values = predictions->matrix ? predictions->matrix->values() : predictions->confidences->score();
  RowsOut rows(*file, format,
               {n, columns, predictions->matrix ? "probs" : "confidences", headings(*predictions, columns)});
  if (auto fine = rows.begin(); !fine) return fine.error();
  const std::size_t block = std::max<std::size_t>(1, (std::size_t{1} << 20) / columns);
  std::vector<double> out;
  ProgressBar bar(args.quiet);
  const Progress progress = bar.callback();
  for (std::size_t first = 0; first < n; first += block) {
    out.resize(std::min(block, n - first) * columns);
    fit::apply_rows(**map, values, columns, first, out, threads);
    if (auto fine = rows.add(out); !fine) return fine.error();
    if (progress) progress("rows", first + out.size() / columns, n);
  }
  bar.clear();
  if (auto fine = rows.end(); !fine) return fine.error();
  const auto code = file->finish();
  if (code && file->is_file() && !args.quiet)
    talk(fmt::format("{} on {}: n = {}, K = {}; wrote {}\n", model->method, clean(predictions->source), n, model->k,
                     clean(args.output)));
  return code;
}

std::function<Result<int>()> declare(CLI::App& app) {
  const auto args = std::make_shared<Args>();
  app.formatter(std::make_shared<ManPage>(page));
  const auto input = [&](const char* name, std::string& to, const char* help) {
    return app.add_option(name, to, help)->group("INPUT")->type_name("F");
  };
  input("MODEL", args->model, "a file that `tare fit` saved")->required();
  app.add_option("FILE", args->fold.files,
                 "one .npz or .csv file whose names say what it holds; - is CSV on standard input")
      ->group("INPUT")
      ->type_name("F")
      ->expected(1);
  input("--logits", args->fold.logits, "scores before the softmax: n rows of K numbers, or n log-odds of class 1");
  input("--probs", args->fold.probs, "probabilities: n rows of K numbers, or n probabilities of class 1");
  input("--log-probs", args->fold.log_probs, "natural logarithms of probabilities, as for --probs");
  input("--confidences", args->fold.confidences, "the confidence of the predicted class");
  input("--split", args->fold.split,
        "which part of a file with test_* and val_* arrays (test), or with a column that says it for each row (all)")
      ->type_name("test|val|train")
      ->check(one_of({"test", "val", "train"}));
  add_reading(app, args->fold.reading);
  add_threads(app, args->threads, "OUTPUT");
  app.add_option("-o,--output", args->output,
                 "the file to write, whole or not at all: .npy, .npz or .csv; - is .npy on standard output")
      ->type_name("F")
      ->group("OUTPUT");
  add_quiet(app, args->quiet);
  return [args] { return run(*args); };
}

}  // namespace of_apply

const Command apply_command{"apply", "a saved map on new outputs", of_apply::declare};

}  // namespace tare::inner::cli
