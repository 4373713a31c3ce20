#include "tare/cli/measure_fold.hpp"

#include "tare/answer/bias.hpp"
#include "tare/cli/output.hpp"
#include "tare/cli/progress_bar.hpp"
#include "tare/core/clean.hpp"
#include "tare/render/csv/csv.hpp"
#include "tare/render/json/json.hpp"
#include "tare/render/text/text.hpp"

namespace tare::inner::cli {
Result<int> measure_fold(const read::Fold& fold, const MeasureArgs& measure, const OutputArgs& output) {
  answer::SurveyOptions options = measure.options();
  if (measure.gate && (!options.resample || options.reduction == Reduction::classwise))
    return Error{.code = Errc::bad_option,
                 .what = "there is no verdict to decide by",
                 .remedy = "a gate needs `reduction` top_label or positive, and redrawn labels (no `no-interval`)"};
  ProgressBar bar(output.quiet);
  options.progress = bar.callback();
  const auto data = read::Dataset::open(fold);
  if (!data) return data.error();
  auto file = Output::open(output.path, output.format(), data->inputs());
  if (!file) return file.error();
  auto predictions = read_rows(*data, options.threads);
  if (!predictions) return predictions.error();
  output.name(*predictions);
  if (output.json || output.csv || file->is_file()) say_notes(*predictions, output.quiet);
  const auto survey = answer::survey(*predictions, options);
  bar.clear();
  if (!survey) return survey.error();
  std::optional<BiasReport> bias;
  if (measure.bias) {
    auto found = answer::simulated_bias(*predictions, options);
    bar.clear();
    if (!found) return found.error();
    bias = *std::move(found);
  }
  render::TextOptions style = file->style();
  style.all = measure.all || !measure.estimators.empty() || measure.norm != "both";  // what was asked for is shown
  const BiasReport* shown = bias ? &*bias : nullptr;
  const auto words = [&] {
    const bool whole = style.all || shown || !survey->test;
    return render::text(*survey, style, shown) + (whole            ? ""
                                                  : survey->groups ? "Every estimator and every group: --all\n"
                                                                   : "Every estimator: --all\n");
  };
  const auto table = [&] { return survey->groups ? render::csv(*survey->groups) : render::csv(*survey); };
  const auto code = file->write(output.json ? render::json(*survey, shown) : output.csv ? table() : words());
  if (!code) return code;
  if (file->is_file() && !output.quiet) talk("wrote " + clean(output.path) + "\n");
  return measure.gate && survey->test->verdict.outcome == Outcome::miscalibrated ? 1 : *code;
}

}  // namespace tare::inner::cli
