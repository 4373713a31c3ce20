#include "tare/analysis/report.hpp"

#include <charconv>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "tare/analysis/bias.hpp"
#include "tare/analysis/bin_choice.hpp"
#include "tare/analysis/calibrator_map.hpp"
#include "tare/analysis/compare.hpp"
#include "tare/analysis/curves.hpp"
#include "tare/analysis/input_info.hpp"
#include "tare/analysis/survey.hpp"
#include "tare/analysis/test.hpp"
#include "tare/core/call_options.hpp"
#include "tare/core/errors.hpp"
#include "tare/core/names.hpp"
#include "tare/fit/run.hpp"
#include "tare/fit/spec.hpp"
#include "tare/measure/spec.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {
namespace {

std::vector<std::string> default_tests() {
  const auto names = infer::default_statistics();
  return {names.begin(), names.end()};
}

std::string name_of(bool Roles::*role) { return std::string(measure::with_role(role).name); }

void add_bias(Report& out, const Predictions& reduced, Reduction reduction, const ReportOptions& options) {
  if (!options.bias) {
    out.bias_reason = "not asked for";
    return;
  }
  auto made =
      bias(reduced, {.reduction = reduction,
                     .bins = options.bins,
                     .replicates = affordable_replicates(simulated_size(out.survey.input), options.replicates, 20),
                     .seed = options.seed,
                     .threads = options.threads,
                     .progress = options.progress});
  if (made)
    out.bias = *std::move(made);
  else
    out.bias_reason = sentence(made.error());
}

// Curves that answer one question each; what cannot be drawn is left out.
void add_curves(Report& out, const Predictions& reduced, Reduction reduction, const ReportOptions& options) {
  if (auto made = rejection(reduced, {.reduction = reduction, .threads = options.threads}))
    out.rejection = *std::move(made);
  if (auto made = detectable_curve(
          reduced,
          {.test = {.reduction = reduction, .bins = options.bins, .seed = options.seed, .threads = options.threads}}))
    out.detectable = *std::move(made);
  if (auto made = bin_choice(reduced, {.reduction = reduction,
                                       .bins = options.bins,
                                       .parts = 20,
                                       .resamples = 100,
                                       .seed = options.seed,
                                       .threads = options.threads}))
    out.bin_choice = *std::move(made);
}

void add_classes(Report& out, const Predictions& predictions, const ReportOptions& options) {
  if (!options.classes)
    out.classes_reason = "not asked for";
  else if (!predictions.matrix)
    out.classes_reason = "the input holds one confidence per row and no probabilities of single classes";
  else if (predictions.matrix->classes() < 3)
    out.classes_reason = "with two classes the diagram above is the diagram of class 1";
  if (!out.classes_reason.empty()) return;
  Predictions without_groups = predictions;
  without_groups.groupings.clear();
  auto made =
      survey(without_groups,
             {.reduction = Reduction::classwise,
              .bins = options.bins,
              .norms = {1},
              .estimators = {name_of(&Roles::reference), name_of(&Roles::mean_label), name_of(&Roles::mean_score)},
              .seed = options.seed,
              .threads = options.threads,
              .progress = options.progress});
  if (made)
    out.classes = *std::move(made);
  else
    out.classes_reason = sentence(made.error());
}

// What is recommended, fitted once more on all validation rows: its map, and the curves before and after it.
void add_winner(Report& out, const Predictions& judged, const Predictions& validation, const ReportOptions& options) {
  const fit::Calibrator* winner = fit::find(out.comparison->winner.method);
  if (!winner) return;  // the model is left as it is
  fit::Options with;
  with.threads = options.threads;
  const auto model = fit::run(*winner, validation, with);
  if (!model) return;
  const Reduction reduction = out.survey.input.reduction;
  if (auto made =
          calibrator_map(judged, *model, {.reduction = reduction, .bins = options.bins, .threads = options.threads})) {
    out.map = *std::move(made);
    out.map->fitted_on = validation.source;
  }
  const auto after = recalibrated(judged, *model, options.threads);
  if (!after) return;
  const NamedCurveOptions of{.reduction = reduction, .threads = options.threads};
  auto first = named_curve(judged, "before", of);
  auto second = named_curve(*after, "after " + model->method, of);
  if (first && second)
    out.before_after = BeforeAfter{model->method, validation.source, false, *std::move(first), *std::move(second)};
}

CompareOptions compare_options(const ReportOptions& options) {
  CompareOptions with{.methods = options.methods,
                      .reduction = options.reduction,
                      .criterion = options.criterion,
                      .folds = options.folds,
                      .bins = options.bins,
                      .seed = options.seed,
                      .threads = options.threads,
                      .progress = options.progress};
  with.fit.threads = options.threads;
  return with;
}

}  // namespace

Result<Report> report(const Predictions& judged, const Predictions* validation, const ReportOptions& options) {
  if (const auto fine = all_of({checked(compare_options(options)), check(report_options, options)}); !fine)
    return fine.error();
  const auto reduction = choose_reduction(judged, options.reduction);
  if (!reduction) return reduction.error();
  if (*reduction == Reduction::classwise)
    return failure(Errc::unsupported, "a report is about top_label or positive; classes have a section of their own",
                   "leave `reduction` out");
  Report out;
  auto measured = survey(judged, {.reduction = *reduction,
                                  .bins = options.bins,
                                  .tests = default_tests(),
                                  .seed = options.seed,
                                  .threads = options.threads,
                                  .progress = options.progress});
  if (!measured) return measured.error();
  out.survey = *std::move(measured);

  out.survey.test->level = level_shift(judged, *reduction, *out.survey.test,
                                       {.bins = options.bins, .seed = options.seed, .threads = options.threads});
  if (*reduction == Reduction::top_label && judged.matrix) {
    // reading a matrix of K columns for every fit would take as long as everything else
    const auto data = top_label(judged, options.threads);
    if (!data) return data.error();
    Predictions reduced;
    reduced.kind = Kind::confidences;
    reduced.n = data->view().size();
    reduced.confidences = data->view();
    add_bias(out, reduced, *reduction, options);
    add_curves(out, reduced, *reduction, options);
  } else {
    add_bias(out, judged, *reduction, options);
    add_curves(out, judged, *reduction, options);
  }
  add_classes(out, judged, options);
  if (validation) {
    auto comparison = compare(*validation, &judged, compare_options(options));
    if (comparison) {
      out.comparison = *std::move(comparison);
      add_winner(out, judged, *validation, options);
    } else {
      out.comparison_reason = sentence(comparison.error());
    }
  }
  for (const measure::Estimator& estimator : measure::all()) out.about.push_back(estimator);
  return out;
}

std::vector<std::pair<std::string, std::string>> report_settings(const Report& report, const ReportOptions& options) {
  const auto text = [](auto number) { return std::to_string(number); };
  std::vector<std::pair<std::string, std::string>> out{
      {"reduction", std::string(name(report.survey.input.reduction))},
      {"bins", text(options.bins)},
      {"seed", text(options.seed)},
      {"redrawings for noise floors", "up to " + text(report.survey.resamples)},
      {"redrawings for bands", text(report.survey.band_resamples)}};
  if (report.survey.test) out.push_back({"redrawings for tests", text(report.survey.test->resamples)});
  if (report.bias) out.push_back({"simulated samples for bias", text(report.bias->table.replicates)});
  if (report.comparison) {
    out.push_back({"folds of the choice", text(report.comparison->folds)});
    out.push_back({"criterion of the choice", std::string(name(report.comparison->winner.criterion))});
    out.push_back({"resamples of differences", text(report.comparison->resamples)});
  }
  return out;
}

std::string report_date() {
  std::time_t now = std::time(nullptr);
  if (const char* set = std::getenv("SOURCE_DATE_EPOCH")) {
    std::int64_t seconds = 0;
    const char* end = set + std::char_traits<char>::length(set);
    if (const auto read = std::from_chars(set, end, seconds); read.ec == std::errc() && read.ptr == end) now = seconds;
  }
  std::tm day{};
  char text[16] = "";
  if (gmtime_r(&now, &day) == nullptr || std::strftime(text, sizeof text, "%Y-%m-%d", &day) == 0) return "";
  return text;
}

}  // namespace tare::detail::analysis
