// tare report: one page that an engineer can send on and a reviewer can check.
#include "tare/analysis/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "tare/cli/args.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/cli/two_folds.hpp"
#include "tare/core/clean.hpp"
#include "tare/core/names.hpp"
#include "tare/fit/run.hpp"
#include "tare/render/html/page.hpp"

namespace tare::detail::cli {
namespace of_report {

const Page page{
    .name = "tare report",
    .synopsis = {"tare report FILE -o report.html [options]",
                 "tare report --logits F --labels F -o report.html [options]",
                 "tare report --val F --test F -o report.html [options]",
                 "tare report --val-logits F --val-labels F --test-logits F --test-labels F -o report.html [options]"},
    .description =
        {"Writes one HTML file that needs nothing else: a verdict in a sentence, the reliability diagram with three "
         "kinds of bins, the confidence histogram, every estimator with interval, noise and bias, decompositions of "
         "scores, classes with the worst first, tests and what error this n could have detected, how everything was "
         "computed, and a citation.",
         "With validation and test data (two folds, or a FILE that holds arrays named val_* and test_*) it also shows "
         "every calibrator before and after, the differences with their intervals, the winner and the commands that "
         "apply it. With --after it shows what a saved calibrator makes of the test data."},
    .examples = {{"tare report data/resnet110_cifar10.npz -o report.html",
                  "a network that comes with the program, both halves"},
                 {"tare report --probs p.npy --labels y.npy -o report.html", "one fold"},
                 {"tare report --val val.npz --test test.npz -o report.html", "two folds in two files"},
                 {"tare report model.npz --after t.json -o after.html", "behind a saved calibrator"},
                 {"tare report model.npz --no-bias --no-classes -o quick.html", "the quick parts only"}},
};

struct Args {
  TwoFolds folds;
  analysis::ReportOptions options;
  std::string path = {}, title = {}, after = {};
  bool no_calibrators = false, quiet = false;
};

std::vector<std::string> apply_commands(const Report& report, const TwoFolds& folds) {
  if (!report.comparison || report.comparison->winner.method == "uncalibrated") return {};
  const std::string kind = "--" + std::string(name(report.comparison->test.kind));
  return {fmt::format("tare fit {} {} -o model.json", report.comparison->winner.method, folds.fit_arguments()),
          fmt::format("tare apply model.json {} new.npy -o calibrated.npy", kind)};
}

// What the saved calibrator makes of the rows.
Result<Predictions> behind(const std::string& file, const Predictions& rows, int threads) {
  const auto model = fit::read_model(file).value();
  auto out = fit::applied(model, rows, threads);
  if (out) out->source += fmt::format(", after {} of {}", model.method, file);
  return out;
}

// Nobody reads HTML in a terminal: there it goes into a file of the working directory that is called after the data.
std::string page_path(const Args& args, const std::vector<std::string>& inputs) {
  if (!args.path.empty() || ::isatty(STDOUT_FILENO) != 1) return args.path;
  std::filesystem::path name = inputs.empty() || inputs.front() == "-" ? "tare" : inputs.front();
  name = name.filename();
  if (ending_of(name.string()) == ".gz") name = name.stem();
  return name.stem().string() + ".report.html";
}

Result<int> run(const Args& args) {
  analysis::ReportOptions options = args.options;
  ProgressBar bar(args.quiet);
  options.progress = bar.callback();
  std::vector<std::string> inputs = args.folds.files();
  if (!args.after.empty()) inputs.push_back(args.after);
  const std::string path = page_path(args, inputs);
  auto file = Output::open(path, Format::html, inputs).value();
  auto folds = args.folds.read(options.threads, args.no_calibrators || !args.after.empty()).value();
  if (!args.after.empty()) folds.first = behind(args.after, folds.first, options.threads).value();
  const bool two = folds.second.has_value();
  Predictions& judged = two ? *folds.second : folds.first;
  const std::string read_from = judged.source;
  if (!args.title.empty()) judged.source = args.title;
  auto report = analysis::report(judged, two ? &folds.first : nullptr, options).value();
  bar.clear();
  if (!args.title.empty()) report.file = read_from;
  report.date = analysis::report_date();
  report.command = command_line();
  report.settings = analysis::report_settings(report, options);
  report.apply = apply_commands(report, args.folds);
  const auto code = file.write(render::page(report));
  if (code && file.is_file() && !args.quiet) talk("wrote " + clean(path) + "\n");
  return code;
}

void add_more(CLI::App& app, Args& args) {
  const char* group = "REPORT";
  add_option(app, group, "--after", args.after, "F", "apply this saved calibrator first; then no others are compared");
  app.add_flag("--no-calibrators", args.no_calibrators, "only the test fold, even where there are two")->group(group);
  add_title(app, args.title);
  add_output(
      app, args.path,
      "the page, whole or not at all (in a terminal NAME.report.html, after the data; into a pipe the page itself)");
  add_quiet(app, args.quiet);
}

void declare(CLI::App& app, Args& args) {
  args.folds.add(app);
  app.get_option("--split")->description("only one half of a file with val_* and test_* arrays");
  add_options(app, report_options(args.options));
  add_more(app, args);
}

}  // namespace of_report

const Command report_command{"report", "everything above as one HTML page", of_report::page,
                             declared<of_report::Args, of_report::declare, of_report::run>};

}  // namespace tare::detail::cli
