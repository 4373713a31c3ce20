// tare plot: one picture of one fold.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "tare/cli/args.hpp"
#include "tare/cli/help.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/program.hpp"
#include "tare/cli/raster.hpp"
#include "tare/measure/spec.hpp"
#include "tare/render/pictures.hpp"

namespace tare::cli {
namespace {

const Page page{
    .name = "tare plot",
    .synopsis = {"tare plot reliability FILE -o x.svg [options]", "tare plot histogram FILE -o x.svg [options]",
                 "tare plot KIND --logits F --labels F -o x.svg [options]"},
    .description =
        {"Draws one picture. reliability: per bin a bar as high as the accuracy, the gap to the mean confidence hatched, "
         "and the number of rows below. histogram: the share of rows per bin, with accuracy and mean confidence marked. "
         "The heading gives the estimator whose bins are drawn, its value, and what a perfectly calibrated model of this "
         "n would show.",
         "Where the output ends in .png, rsvg-convert (Debian: librsvg2-bin) or inkscape must be installed. With "
         "--reduction classwise the class with the largest error is drawn."},
    .examples = {{"tare plot reliability data/resnet110_cifar10.npz -o reliability.svg", "bins of equal width"},
                 {"tare plot reliability model.npz --estimator sweep_em -o sweep.png", "the bins the sweep chose"},
                 {"tare plot histogram model.npz --bins 30 -o confidence.svg", "finer bins"}},
};

struct Args {
  std::string kind = {};
  std::string estimator = "ece_ew";
  std::string norm = {};
  read::Fold fold;
  MeasureArgs measure;
  std::string path = {};
  bool quiet = false;
};

// The only norm, or the mean absolute gap: what Guo et al. call the ECE.
Result<int> chosen_norm(const measure::Row& row, const std::string& typed) {
  if (row.norms == measure::Norms::two && typed == "1")
    return Error{Errc::bad_option, std::string(row.name) + " exists for norm 2 only", "leave --norm out"};
  return row.norms == measure::Norms::two || typed == "2" ? 2 : 1;
}

Result<bool> wants_png(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  if (ending.empty() || ending == ".svg") return false;
  if (ending == ".png") return true;
  return Error{Errc::bad_option, "cannot draw " + path + ": '" + ending + "' is no kind of picture known here",
               "end the name in .svg or .png"};
}

Result<int> run(const Args& args) {
  const measure::Row* row = measure::find(args.estimator);
  if (!row) return measure::unknown_estimator(args.estimator);
  const auto norm = chosen_norm(*row, args.norm);
  if (!norm) return norm.error();
  auto options = args.measure.options();
  if (!options) return options.error();
  options->estimators = {args.estimator, "accuracy", "confidence"};
  options->norms = {*norm};
  const auto raster = wants_png(args.path);
  if (!raster) return raster.error();
  const auto program = *raster ? find_rasteriser() : Result<std::string>("");
  if (!program) return program.error();
  auto file = Output::open(args.path);
  if (!file) return file.error();

  const auto predictions = read::fold(args.fold, options->threads);
  if (!predictions) return predictions.error();
  const auto survey = infer::survey(*predictions, *options);
  if (!survey) return survey.error();
  const render::PictureOptions of{.estimator = args.estimator};
  auto picture = args.kind == "histogram" ? render::histogram_svg(*survey, of) : render::reliability_svg(*survey, of);
  if (picture && *raster) picture = png(*program, *picture);
  if (!picture) return picture.error();
  const auto code = file->write(*picture);
  if (code && file->is_file() && !args.quiet) talk("wrote " + args.path + "\n");
  return code;
}

std::function<Result<int>()> declare(CLI::App& app) {
  const auto args = std::make_shared<Args>();
  app.formatter(std::make_shared<ManPage>(page));
  app.add_option("KIND", args->kind, "reliability or histogram")
      ->required()
      ->type_name("")
      ->group("INPUT")
      ->check(one_of({"reliability", "histogram"}));
  add_fold(app, args->fold);
  args->measure.add(app);
  // One picture shows one estimator and one norm.
  app.remove_option(app.get_option("--estimators"));
  app.remove_option(app.get_option("--norm"));
  app.add_option("--estimator", args->estimator, "whose bins and value (ece_ew), by the names of `tare list`")
      ->type_name("A")
      ->group("MEASURING");
  app.add_option("--norm", args->norm, "average the absolute gap (1, the default) or its square (2)")
      ->type_name("1|2")
      ->group("MEASURING")
      ->check(one_of({"1", "2"}));
  app.add_option("-o,--output", args->path, "the picture, .svg or .png, whole or not at all (SVG on standard output)")
      ->type_name("F")
      ->group("OUTPUT");
  app.add_flag("--quiet", args->quiet, "nothing on standard error but errors")->group("OUTPUT");
  return [args] { return run(*args); };
}

}  // namespace

const Command plot_command{"plot", "one picture of one fold, as SVG or PNG: reliability or histogram", declare};

}  // namespace tare::cli
