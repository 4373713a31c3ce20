// The kinds of `tare plot` that are about one question each.
#include <algorithm>

#include "tare/analysis/bin_choice.hpp"
#include "tare/analysis/detectable_curve.hpp"
#include "tare/analysis/rejection.hpp"
#include "tare/cli/plot_args.hpp"
#include "tare/render/csv/csv.hpp"
#include "tare/render/json/json.hpp"
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
  const auto judged = judged_fold(args, options.threads);
  if (!judged) return judged.error();
  const auto survey = analysis::survey(*judged, options);
  if (!survey) return survey.error();
  const render::EstimatorsPicture of{.norm = args.norm.empty() ? std::nullopt : std::optional(norm_or(args, 1))};
  switch (canvas.as) {
    case Drawn::json:
      return render::json(*survey);
    case Drawn::csv:
      return render::csv(*survey);
    case Drawn::text:
      return render::estimators_chart(*survey, of, canvas.style);
    case Drawn::svg:
      break;
  }
  return render::estimators_svg(*survey, of);
}

Result<std::string> draw_rejection(const Args& args, const Canvas& canvas) {
  const auto judged = judged_fold(args, canvas.threads);
  if (!judged) return judged.error();
  const auto curve = analysis::rejection(*judged, {.reduction = args.survey.reduction, .threads = canvas.threads});
  if (!curve) return curve.error();
  return shown(*curve, canvas, [&] { return render::svg(*curve); });
}

Result<std::string> draw_detectable(const Args& args, const Canvas& canvas) {
  const auto judged = judged_fold(args, canvas.threads);
  if (!judged) return judged.error();
  const auto curve = analysis::detectable_curve(*judged, {.test = {.reduction = args.survey.reduction,
                                                                   .bins = args.survey.bins,
                                                                   .seed = args.survey.seed,
                                                                   .threads = canvas.threads,
                                                                   .progress = canvas.progress},
                                                          .sizes = args.sizes});
  if (!curve) return curve.error();
  return shown(*curve, canvas, [&] { return render::svg(*curve); });
}

Result<std::string> draw_bins(const Args& args, const Canvas& canvas) {
  const auto judged = judged_fold(args, canvas.threads);
  if (!judged) return judged.error();
  const auto choice = analysis::bin_choice(*judged, {.reduction = args.survey.reduction,
                                                     .estimators = args.estimators,
                                                     .bins = args.survey.bins,
                                                     .norm = norm_or(args, 1),
                                                     .sizes = args.sizes,
                                                     .seed = args.survey.seed,
                                                     .threads = canvas.threads,
                                                     .progress = canvas.progress});
  if (!choice) return choice.error();
  return shown(*choice, canvas, [&] { return render::svg(*choice); });
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

}  // namespace tare::detail::cli::of_plot
