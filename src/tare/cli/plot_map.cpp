// The kinds of `tare plot` that need a calibrator, and the one of several models.
#include <filesystem>

#include "tare/analysis/calibrator_map.hpp"
#include "tare/analysis/named_curve.hpp"
#include "tare/cli/plot_args.hpp"
#include "tare/fit/run.hpp"
#include "tare/fit/spec.hpp"
#include "tare/render/pictures/plots.hpp"
#include "tare/render/svg/pictures.hpp"

namespace tare::detail::cli::of_plot {
namespace {

struct Calibrated {
  Predictions judged;
  Model model;
  std::string fitted_on = {};
  bool same_rows = false;
};

// A calibrator of the table is fitted on the validation fold, or on the only one; anything else is a saved model.
Result<Calibrated> calibrated(const Args& args, int threads) {
  if (args.calibrator.empty())
    return Error{.code = Errc::bad_option,
                 .what = "no calibrator was named",
                 .remedy = "pass `calibrator`: a name of `tare list`, to be fitted, or a file that `tare fit` saved"};
  const fit::Calibrator* row = fit::find(args.calibrator);
  if (!row && !std::filesystem::exists(args.calibrator)) {
    Error unknown = fit::unknown_method(args.calibrator);
    unknown.what += ", and no such file";
    return unknown;
  }
  auto folds = args.folds.read(threads, row == nullptr);
  if (!folds) return folds.error();
  if (!row) {
    auto model = fit::read_model(args.calibrator);
    if (!model) return model.error();
    return Calibrated{std::move(folds->first), *std::move(model), args.calibrator};
  }
  fit::Options options;
  options.threads = threads;
  auto model = fit::run(*row, folds->first, options);
  if (!model) return model.error();
  const std::string source = folds->second ? folds->first.source : "";
  const bool same = !folds->second;
  return Calibrated{same ? std::move(folds->first) : *std::move(folds->second), *std::move(model), source, same};
}

}  // namespace

std::vector<std::string> inputs_of(const Args& args) {
  std::vector<std::string> out = args.folds.files();
  if (!args.calibrator.empty() && !fit::find(args.calibrator)) out.push_back(args.calibrator);
  for (const std::string& file : args.beside) {
    read::Fold fold = args.folds.fold;
    fold.files = {file};
    const auto more = read::inputs_of(fold);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

Result<std::string> draw_map(const Args& args, const Canvas& canvas) {
  auto from = calibrated(args, canvas.threads);
  if (!from) return from.error();
  if (!args.title.empty()) from->judged.source = args.title;
  auto map = analysis::calibrator_map(
      from->judged, from->model,
      {.reduction = args.survey.reduction, .bins = args.survey.bins, .threads = canvas.threads});
  if (!map) return map.error();
  map->fitted_on = from->fitted_on;
  map->same_rows = from->same_rows;
  return shown(*map, canvas, [&] { return render::svg(*map); });
}

Result<std::string> draw_before_after(const Args& args, const Canvas& canvas) {
  auto from = calibrated(args, canvas.threads);
  if (!from) return from.error();
  if (!args.title.empty()) from->judged.source = args.title;
  const auto after = analysis::recalibrated(from->judged, from->model, canvas.threads);
  if (!after) return after.error();
  const analysis::NamedCurveOptions options{.reduction = args.survey.reduction, .threads = canvas.threads};
  auto first = analysis::named_curve(from->judged, "before", options);
  if (!first) return first.error();
  auto second = analysis::named_curve(*after, "after " + from->model.method, options);
  if (!second) return second.error();
  const BeforeAfter both{from->model.method, from->fitted_on, from->same_rows, *std::move(first), *std::move(second)};
  return shown(std::vector<NamedCurve>{both.before, both.after}, canvas,
               [&]() -> Result<std::string> { return render::before_after_svg(both); });
}

Result<std::string> draw_models(const Args& args, const Canvas& canvas) {
  std::vector<NamedCurve> models;
  std::vector<std::string> files{""};
  files.insert(files.end(), args.beside.begin(), args.beside.end());
  for (const std::string& file : files) {
    Args one = args;
    if (!file.empty()) {
      one.folds = {};
      one.folds.fold = args.folds.fold;
      one.folds.fold.files = {file};
    }
    one.title.clear();
    const auto judged = judged_fold(one, canvas.threads);
    if (!judged) return judged.error();
    auto curve =
        analysis::named_curve(*judged, judged->source, {.reduction = args.survey.reduction, .threads = canvas.threads});
    if (!curve) return curve.error();
    models.push_back(*std::move(curve));
  }
  return shown(models, canvas, [&] { return render::models_svg(models); });
}

}  // namespace tare::detail::cli::of_plot
