// tare plot: one picture, as SVG, as PNG or in the terminal.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tare/analysis/bias.hpp"
#include "tare/analysis/compare.hpp"
#include "tare/analysis/consistency.hpp"
#include "tare/analysis/groups.hpp"
#include "tare/cli/plot_args.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/cli/two_folds.hpp"
#include "tare/core/clean.hpp"
#include "tare/measure/spec.hpp"
#include "tare/platform/platform.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/charts.hpp"
#include "tare/simulate/truth.hpp"
#include "tare/write/whole_file.hpp"

namespace tare::detail::cli {
namespace {

// SVG to PNG by a program that is installed: rsvg-convert, else inkscape.

namespace fs = std::filesystem;

// A private folder, gone with its contents when the picture is made.
class Scratch {
 public:
  Scratch() {
    std::error_code ignored;
    std::string name = (fs::temp_directory_path(ignored) / "tare-XXXXXX").string();
    if (!::mkdtemp(name.data())) return;
    folder_ = name;
    for (const fs::path& path : {folder_, folder_ / "picture.svg", folder_ / "picture.png"})
      noted_.emplace_back(path.string());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
  std::vector<write::Unfinished> noted_;
};

// The exit status of a program started without a shell, its talk silenced; -1 if it did not start or did not end well.
int run_quietly(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  ::posix_spawn_file_actions_init(&streams);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&streams, stream, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  const int fault = ::posix_spawn(&child, argv[0], &streams, nullptr, argv.data(), platform::environment());
  ::posix_spawn_file_actions_destroy(&streams);
  if (fault != 0) return -1;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Its path.
Result<std::string> find_rasteriser() {
  const char* path = std::getenv("PATH");
  for (const char* program : {"rsvg-convert", "inkscape"}) {
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string candidate = (fs::path(folder.empty() ? "." : folder) / program).string();
      std::error_code ignored;
      if (fs::is_regular_file(candidate, ignored) && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
  }
  return failure(Errc::io, "a .png needs rsvg-convert or inkscape, and neither is installed",
                 "apt-get install librsvg2-bin, or write .svg");
}

Result<std::string> png(const std::string& rasteriser, std::string_view svg) {
  const Scratch scratch;
  if (scratch.folder().empty())
    return failure(Errc::io, std::string("no temporary folder: ") + std::strerror(errno),
                   "set TMPDIR to a folder with room");
  const std::string from = (scratch.folder() / "picture.svg").string(),
                    to = (scratch.folder() / "picture.png").string();
  std::ofstream(from, std::ios::binary) << svg;
  // Twice the size on screen: sharp in print and on dense displays.
  const bool rsvg = fs::path(rasteriser).filename() == "rsvg-convert";
  const int status = run_quietly(rsvg ? std::vector<std::string>{rasteriser, "--zoom", "2", "-o", to, from}
                                      : std::vector<std::string>{rasteriser, "--export-type=png", "--export-dpi=192",
                                                                 "--export-filename=" + to, from});
  std::ifstream file(to, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (status != 0 || bytes.empty())
    return failure(Errc::io, rasteriser + " did not make a picture", "write .svg and convert it with another program");
  return bytes;
}

}  // namespace

namespace of_plot {

// Whose bias is drawn unless some are named.
std::vector<std::string> usual_bias() {
  std::vector<std::string> out;
  for (const measure::Estimator& estimator : measure::all())
    if (estimator.roles.bias_drawn) out.emplace_back(estimator.name);
  return out;
}

// The only norm, or the mean absolute gap: what Guo et al. call the ECE.
Result<int> chosen_norm(const measure::Estimator& row, const std::string& typed) {
  const int norm = typed == "1" ? 1 : typed == "2" ? 2 : has_norm(row, 1) || row.norms == Norms::none ? 1 : 2;
  if (row.norms != Norms::none && !has_norm(row, norm))
    return bad_option(std::string(row.name) + " exists for norm " + (norm == 1 ? "2" : "1") + " only",
                      "leave --norm out");
  return norm;
}

Result<bool> wants_png(const std::string& path, bool text) {
  if (text || path == "-") return false;
  const std::string ending = ending_of(path);
  if (ending.empty() || ending == ".svg") return false;
  if (ending == ".png") return true;
  return bad_option("cannot draw " + foreign(path) + ": '" + foreign(ending) + "' is no kind of picture known here",
                    "end the name in .svg or .png");
}

Result<analysis::SurveyOptions> survey_options(const Args& args) {
  const measure::Estimator* row = measure::find(args.estimator);
  if (!row) return measure::unknown_estimator(args.estimator);
  const auto norm = chosen_norm(*row, args.norm).value();
  analysis::SurveyOptions options = args.survey;
  options.estimators = {args.estimator, name_of(&Roles::mean_label), name_of(&Roles::mean_score)};
  if (args.kind == "reliability") options.estimators.push_back(name_of(&Roles::monotone));
  options.norms = {norm};
  options.verdict = false;
  return options;
}

Result<Predictions> judged_fold(const Args& args, int threads) {
  auto folds = args.folds.read(threads, true).value();
  if (!args.title.empty()) folds.first.source = args.title;
  return std::move(folds.first);
}

render::ReliabilityStyle style_of(const std::string& typed) {
  return typed == "bars" ? render::ReliabilityStyle::bars : render::ReliabilityStyle::curve;
}

render::AxisKind axis_of(const std::string& typed) {
  using render::AxisKind;
  return typed == "linear"  ? AxisKind::linear
         : typed == "logit" ? AxisKind::logit
         : typed == "rank"  ? AxisKind::rank
                            : AxisKind::automatic;
}

Result<std::string> draw_survey(const Args& args, analysis::SurveyOptions options, const Canvas& canvas) {
  options.progress = canvas.progress;
  const auto judged = judged_fold(args, options.threads).value();
  const auto survey = analysis::survey(judged, options).value();
  render::PictureOptions of{.estimator = args.estimator, .style = style_of(args.style), .axis = axis_of(args.axis)};
  if (args.kind == "histogram")
    return canvas.text ? render::histogram_chart(survey, of, canvas.style) : render::histogram_svg(survey, of);
  if (canvas.text) return render::reliability_chart(survey, of, canvas.style);
  if (const auto* band = band_of(survey, args.estimator)) of.band = *band;
  return render::reliability_svg(survey, of);
}

Result<std::string> draw_bias(const Args& args, const Canvas& canvas) {
  analysis::BiasOptions options{.bins = args.survey.bins,
                                .norms = {args.norm == "1" ? 1 : 2},
                                .estimators = args.estimators,
                                .sizes = args.sizes,
                                .replicates = args.replicates,
                                .seed = args.survey.seed,
                                .threads = canvas.threads,
                                .progress = canvas.progress};
  if (options.estimators.empty()) options.estimators = usual_bias();
  render::BiasPictureOptions of{.norm = options.norms.front()};
  const auto drawing = [&](const SimTable& table) {
    return canvas.text ? render::bias_chart(table, of, canvas.style) : render::bias_svg(table, of);
  };
  if (!args.model.empty()) {
    const auto truth = simulate::model(args.model, args.perfect).value();
    const auto table = analysis::bias_of(truth, options);
    return table ? drawing(*table) : Result<std::string>(table.error());
  }
  if (options.sizes.empty()) options.sizes = {200, 500, 1000, 5000};
  const auto judged = judged_fold(args, options.threads).value();
  of.source = judged.source;
  const auto report = analysis::bias(judged, options);
  return report ? drawing(report->table) : Result<std::string>(report.error());
}

Result<std::string> draw_comparison(const Args& args, const Canvas& canvas) {
  const CriterionInfo& drawn = *find_criterion(args.criterion);  // CLI11 has looked
  const Criterion chooser = drawn.chooses ? drawn.criterion : Criterion::brier;
  analysis::CompareOptions options{.methods = args.methods,
                                   .criterion = std::string(name(chooser)),
                                   .bins = args.survey.bins,
                                   .seed = args.survey.seed,
                                   .threads = canvas.threads,
                                   .progress = canvas.progress};
  options.fit.threads = canvas.threads;
  const auto folds = args.folds.read(canvas.threads).value();
  const auto comparison = analysis::compare(folds.first, folds.second ? &*folds.second : nullptr, options).value();
  const render::ComparisonPictureOptions of{.criterion = drawn.criterion};
  return canvas.text ? render::compare_chart(comparison, of, canvas.style) : render::compare_svg(comparison, of);
}

Result<std::string> draw_groups(const Args& args, const Canvas& canvas) {
  if (args.folds.fold.groups.empty()) return bad_option("no groups were named", "pass `group` COLUMN");
  const auto judged = judged_fold(args, canvas.threads).value();
  const auto report = analysis::groups(judged, {.reduction = args.survey.reduction,
                                                .seed = args.survey.seed,
                                                .threads = canvas.threads,
                                                .progress = canvas.progress})
                          .value();
  return canvas.text ? render::groups_chart(report, canvas.style) : render::groups_svg(report);
}

Result<int> run(const Args& args) {
  const auto options = survey_options(args).value();
  const auto& questions = question_kinds();
  const bool question = std::find(questions.begin(), questions.end(), args.kind) != questions.end();
  const bool numbers = args.json || args.csv;
  if (numbers && !question)
    return bad_option("the numbers behind a picture of " + args.kind + " are those of other commands",
                      "ask `tare measure`, `tare compare` or `tare bbc` for JSON or CSV");
  const bool text = !numbers && (args.text || (args.path.empty() && ::isatty(STDOUT_FILENO) == 1));
  const auto raster = wants_png(args.path, text || numbers).value();
  const auto program = (raster ? find_rasteriser() : Result<std::string>("")).value();
  const Format format = args.json  ? Format::json
                        : args.csv ? Format::csv
                        : text     ? Format::text
                        : raster   ? Format::png
                                   : Format::svg;
  auto file = Output::open(args.path, format, inputs_of(args)).value();

  ProgressBar bar(args.quiet);
  Canvas canvas{.as = args.json  ? Drawn::json
                      : args.csv ? Drawn::csv
                      : text     ? Drawn::text
                                 : Drawn::svg,
                .text = text,
                .style = file.style(),
                .progress = bar.callback(),
                .threads = options.threads};
  canvas.style.all = args.all;
  auto picture = question                 ? draw_question(args, canvas)
                 : args.kind == "bias"    ? draw_bias(args, canvas)
                 : args.kind == "groups"  ? draw_groups(args, canvas)
                 : args.kind == "compare" ? draw_comparison(args, canvas)
                                          : draw_survey(args, options, canvas);
  bar.clear();
  if (picture && raster) picture = png(program, *picture);
  if (!picture) return picture.error();
  const auto code = file.write(*picture);
  if (code && file.is_file() && !args.quiet) talk("wrote " + clean(args.path) + "\n");
  return code;
}

std::vector<std::string> criterion_names() {
  std::vector<std::string> out;
  for (const CriterionInfo& criterion : criteria) out.emplace_back(criterion.name);
  return out;
}

OptionTable plot_options(Args& args) {
  OptionTable t("RELIABILITY");
  t.word("style", args.style, {"curve", "bars"}, "reliability: curve, with the band of the whole true curve, or bars");
  t.word("axis", args.axis, {"auto", "linear", "logit", "rank"},
         "reliability: linear, logit or rank; auto: where the rows have room");
  t.under("BIAS");
  t.plain("model", args.model, "bias: a network of Roelofs et al. 2022, by the names of `tare list`", {.type = "NAME"});
  t.plain("perfect", args.perfect, "bias: its scores, perfectly calibrated");
  t.counts(options::n, args.sizes,
           "bias: sizes of the samples, with data beside their own n; detectable, bins: numbers of rows",
           {.usual = "200,500,1000,5000"});
  t.number(options::drawn_replicates, args.replicates, "bias: samples of each size");
  t.plain("estimators", args.estimators, "bias: which; estimators, bins: only these",
          {.usual = fmt::format("{}", fmt::join(usual_bias(), ","))});
  t.under("CALIBRATOR");
  t.plain("calibrator", args.calibrator,
          "map, before_after: a calibrator of `tare list`, fitted on the validation fold, or a file of `tare fit`",
          {.type = "NAME|F"});
  t.under("MODELS");
  t.plain("beside", args.beside, "models: other files, drawn beside FILE", {.type = "F,F,..."});
  t.under("COMPARE");
  t.plain("methods", args.methods, "compare: only these calibrators");
  t.word("criterion", args.criterion, criterion_names(), "compare: brier, nll or debias_em_squared");
  return t;
}

void declare(CLI::App& app, Args& args) {
  std::vector<std::string> kinds{"reliability", "histogram", "bias", "compare", "groups"};
  kinds.insert(kinds.end(), question_kinds().begin(), question_kinds().end());
  add_option(app, "INPUT", "KIND", args.kind, "", fmt::format("{}", fmt::join(kinds, ", ")))
      ->required()
      ->check(one_of(kinds));
  const std::string of_questions = fmt::format("{}", fmt::join(question_kinds(), ", "));
  args.folds.add(app);
  // One picture shows one estimator and one norm.
  add_options(app, measure_options(args.survey).without({"estimators", "norm", "bias"}));
  add_option(app, "MEASURING", "--estimator", args.estimator, "A",
             fmt::format("whose bins and value ({}), by the names of `tare list`", args.estimator));
  add_option(app, "MEASURING", "--norm", args.norm, "1|2",
             "average the absolute gap (1, the default) or its square (2, the default of bias)")
      ->check(one_of({"1", "2"}));
  add_options(app, plot_options(args));
  app.add_flag("--all", args.all, "print every estimator, not only the five numbers that people quote")
      ->group("OUTPUT");
  add_output(app, args.path, "the picture, .svg or .png, whole or not at all (the terminal; into a pipe SVG)");
  add_title(app, args.title);
  app.add_flag("--text", args.text, "draw in characters")->group("OUTPUT");
  CLI::Option* json =
      app.add_flag("--json", args.json, "the numbers of the picture as JSON: " + of_questions)->group("OUTPUT");
  app.add_flag("--csv", args.csv, "the same as a table")->group("OUTPUT")->excludes(json);
  add_quiet(app, args.quiet);
}

}  // namespace of_plot

const Command plot_command{"plot",
                           "one picture: reliability, estimators, rejection, bins and others; SVG, PNG or terminal",
                           of_plot::page, declared<of_plot::Args, of_plot::declare, of_plot::run>};

}  // namespace tare::detail::cli
