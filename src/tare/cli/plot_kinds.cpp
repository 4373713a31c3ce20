// The kinds of `tare plot` that are about one question each: of the scores, of a calibrator, of several models.
#include <algorithm>
#include <filesystem>

#include "tare/analysis/bin_choice.hpp"
#include "tare/analysis/calibrator_map.hpp"
#include "tare/analysis/curves.hpp"
#include "tare/cli/plot_args.hpp"
#include "tare/fit/run.hpp"
#include "tare/fit/spec.hpp"
#include "tare/render/pictures/plots.hpp"
#include "tare/render/svg/pictures.hpp"
#include "tare/render/text/charts.hpp"

namespace tare::detail::cli::of_plot {
namespace {

int norm_or(const Args& args, int usual) { return args.norm == "1" ? 1 : args.norm == "2" ? 2 : usual; }

Result<std::string> draw_estimators(const Args& args, const Canvas& canvas) {
  analysis::SurveyOptions options = args.survey;
  options.estimators = args.estimators;
  options.progress = canvas.progress;
  const auto judged = judged_fold(args, options.threads).value();
  const auto survey = analysis::survey(judged, options).value();
  const render::EstimatorsPicture of{.norm = args.norm.empty() ? std::nullopt : std::optional(norm_or(args, 1))};
  switch (canvas.as) {
    case Drawn::json:
      return render::json(survey);
    case Drawn::csv:
      return render::csv(survey);
    case Drawn::text:
      return render::estimators_chart(survey, of, canvas.style);
    case Drawn::svg:
      break;
  }
  return render::estimators_svg(survey, of);
}

Result<std::string> draw_rejection(const Args& args, const Canvas& canvas) {
  const auto judged = judged_fold(args, canvas.threads).value();
  const auto curve =
      analysis::rejection(judged, {.reduction = args.survey.reduction, .threads = canvas.threads}).value();
  return shown(curve, canvas, [&] { return render::svg(curve); });
}

Result<std::string> draw_detectable(const Args& args, const Canvas& canvas) {
  const auto judged = judged_fold(args, canvas.threads).value();
  const auto curve = analysis::detectable_curve(judged, {.test = {.reduction = args.survey.reduction,
                                                                  .bins = args.survey.bins,
                                                                  .seed = args.survey.seed,
                                                                  .threads = canvas.threads,
                                                                  .progress = canvas.progress},
                                                         .sizes = args.sizes})
                         .value();
  return shown(curve, canvas, [&] { return render::svg(curve); });
}

Result<std::string> draw_bins(const Args& args, const Canvas& canvas) {
  const auto judged = judged_fold(args, canvas.threads).value();
  const auto choice = analysis::bin_choice(judged, {.reduction = args.survey.reduction,
                                                    .estimators = args.estimators,
                                                    .bins = args.survey.bins,
                                                    .norm = norm_or(args, 1),
                                                    .sizes = args.sizes,
                                                    .seed = args.survey.seed,
                                                    .threads = canvas.threads,
                                                    .progress = canvas.progress})
                          .value();
  return shown(choice, canvas, [&] { return render::svg(choice); });
}

struct Calibrated {
  Predictions judged;
  Model model;
  std::string fitted_on = {};
  bool same_rows = false;
};

// A calibrator of the table is fitted on the validation fold, or on the only one; anything else is a saved model.
Result<Calibrated> calibrated(const Args& args, int threads) {
  if (args.calibrator.empty())
    return bad_option("no calibrator was named",
                      "pass `calibrator`: a name of `tare list`, to be fitted, or a file that `tare fit` saved");
  const fit::Calibrator* row = fit::find(args.calibrator);
  if (!row && !std::filesystem::exists(args.calibrator)) {
    Error unknown = fit::unknown_method(args.calibrator);
    unknown.what += ", and no such file";
    return unknown;
  }
  auto folds = args.folds.read(threads, row == nullptr).value();
  if (!row) {
    auto model = fit::read_model(args.calibrator).value();
    return Calibrated{std::move(folds.first), std::move(model), args.calibrator};
  }
  fit::Options options;
  options.threads = threads;
  auto model = fit::run(*row, folds.first, options).value();
  const std::string source = folds.second ? folds.first.source : "";
  const bool same = !folds.second;
  return Calibrated{same ? std::move(folds.first) : *std::move(folds.second), std::move(model), source, same};
}

Result<std::string> draw_map(const Args& args, const Canvas& canvas) {
  auto from = calibrated(args, canvas.threads).value();
  if (!args.title.empty()) from.judged.source = args.title;
  auto map = analysis::calibrator_map(
                 from.judged, from.model,
                 {.reduction = args.survey.reduction, .bins = args.survey.bins, .threads = canvas.threads})
                 .value();
  map.fitted_on = from.fitted_on;
  map.same_rows = from.same_rows;
  return shown(map, canvas, [&] { return render::svg(map); });
}

Result<std::string> draw_before_after(const Args& args, const Canvas& canvas) {
  auto from = calibrated(args, canvas.threads).value();
  if (!args.title.empty()) from.judged.source = args.title;
  const auto after = analysis::recalibrated(from.judged, from.model, canvas.threads).value();
  const analysis::NamedCurveOptions options{.reduction = args.survey.reduction, .threads = canvas.threads};
  auto first = analysis::named_curve(from.judged, "before", options).value();
  auto second = analysis::named_curve(after, "after " + from.model.method, options).value();
  const BeforeAfter both{from.model.method, from.fitted_on, from.same_rows, std::move(first), std::move(second)};
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
    const auto judged = judged_fold(one, canvas.threads).value();
    models.push_back(
        analysis::named_curve(judged, judged.source, {.reduction = args.survey.reduction, .threads = canvas.threads})
            .value());
  }
  return shown(models, canvas, [&] { return render::models_svg(models); });
}

struct Question {
  std::string name;
  Result<std::string> (*draw)(const Args&, const Canvas&);
};

const std::vector<Question>& questions() {
  static const std::vector<Question> all{{"estimators", draw_estimators},
                                         {"rejection", draw_rejection},
                                         {"detectable", draw_detectable},
                                         {"bins", draw_bins},
                                         {"map", draw_map},
                                         {"before_after", draw_before_after},
                                         {"models", draw_models}};
  return all;
}

}  // namespace

const std::vector<std::string>& question_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Question& q : questions()) out.push_back(q.name);
    return out;
  }();
  return names;
}

Result<std::string> draw_question(const Args& args, const Canvas& canvas) {
  const auto& all = questions();
  return std::find_if(all.begin(), all.end(), [&](const Question& q) { return q.name == args.kind; })
      ->draw(args, canvas);
}

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

}  // namespace tare::detail::cli::of_plot
