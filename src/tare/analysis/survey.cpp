#include "tare/analysis/survey.hpp"

#include <algorithm>
#include <utility>

#include "tare/analysis/classwise.hpp"
#include "tare/analysis/consistency.hpp"
#include "tare/analysis/estimate_rows.hpp"
#include "tare/analysis/groups.hpp"
#include "tare/analysis/input_info.hpp"
#include "tare/analysis/test.hpp"
#include "tare/core/errors.hpp"
#include "tare/infer/band/curve_band.hpp"
#include "tare/infer/resample/ticker.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {
namespace {

// Every line of one binary problem; nll and brier of more than two classes from the full matrix.
std::vector<Measured> survey_problem(const Predictions& predictions, const measure::Sample& sample,
                                     const std::vector<infer::ResampledChoice>& lines, const SurveyOptions& options) {
  const double n = sample.ordered().weight();  // and sorted, once for all lines
  std::vector<Measured> out(lines.size());
  const infer::Ticker ticker(options.progress, "measuring", lines.size());
  std::vector<char> known(lines.size());
  for (std::size_t l = 0; l < lines.size(); ++l)
    if (auto line = matrix_estimate_row(lines[l], predictions, options.threads)) {
      out[l] = *std::move(line);
      known[l] = 1;
    }
  numeric::parallel_for(lines.size(), options.threads, [&](std::size_t l) {
    if (known[l] == 0) out[l] = measure_estimate_row(lines[l], sample);
    ticker.done();
  });
  if (!options.resample) return out;

  std::vector<infer::ResampledChoice> defined = lines;
  for (std::size_t l = 0; l < lines.size(); ++l)
    if (!out[l].estimate) defined[l].resamples = 0;
  const auto cells = infer::floor_cells(sample.ordered(), options.bins);
  const auto values = infer::null_values(cells, defined, options.seed, 0, options.threads, options.progress);
  for (std::size_t l = 0; l < lines.size(); ++l) {
    add_interval(out[l], n);
    add_floor(out[l], values[l]);
  }
  return out;
}

Result<TestReport> tested(const measure::Sample& sample, const Survey& survey, const SurveyOptions& options) {
  std::vector<std::string> statistics{std::string(infer::all_tests().front().name)};
  for (const std::string& name : options.tests)
    if (name != statistics.front()) statistics.push_back(name);
  auto out = test_sample(sample,
                         {.statistics = std::move(statistics),
                          .bins = options.bins,
                          .seed = options.seed,
                          .threads = options.threads,
                          .progress = options.progress},
                         survey.measured);
  if (out) out->input = survey.input;
  return out;
}

// No line contradicts the verdict: intervals for the true error begin at 0 unless the test rejects, and the lines the
// verdict is spoken from say what it says.
void follow(const Verdict& verdict, Measured& m) {
  const bool rejected = verdict.outcome == Outcome::miscalibrated;
  if (!rejected && m.low && !m.estimand.empty()) m.low = 0;
  for (const ErrorRange* range : {&verdict.square, &verdict.mean}) {
    if (range->estimator != m.name || !m.estimate) continue;
    m.low = range->low;
    m.high = range->high;
    if (m.judgement != Judgement::none) m.judgement = rejected ? Judgement::above_noise : Judgement::within_noise;
  }
}

}  // namespace

Result<Survey> survey(const Predictions& predictions, const SurveyOptions& options) {
  auto lines = make_choices(options);
  if (!lines) return lines.error();
  const auto reduction = choose_reduction(predictions, options.reduction);
  if (!reduction) return reduction.error();

  Survey out{
      .input = input_info(predictions, *reduction), .seed = options.seed, .class_names = predictions.class_names};
  if (*reduction == Reduction::classwise && !predictions.groupings.empty()) return no_groups_of_classes();
  if (!options.resample && !predictions.groupings.empty())
    return bad_option("groups are judged by redrawn labels, and redrawing was switched off",
                      "leave out `group`, or what switches it off");
  if (*reduction == Reduction::classwise) {
    auto classes = survey_classes(predictions, *std::move(lines),
                                  {.bins = options.bins,
                                   .resample = options.resample,
                                   .seed = options.seed,
                                   .threads = options.threads,
                                   .progress = options.progress});
    if (!classes) return classes.error();
    out.measured = std::move(classes->measured);
    out.class_curves = std::move(classes->curves);
    out.notes = std::move(classes->notes);
    out.resamples = classes->resamples;
    return out;
  }
  const auto data = binary_problem(predictions, *reduction, options.threads);
  if (!data) return data.error();
  const measure::Sample sample(data->view(), options.threads);
  out.measured = survey_problem(predictions, sample, *lines, options);
  out.curve = infer::curve_band(sample.ordered());
  for (const infer::ResampledChoice& line : *lines) out.resamples = std::max(out.resamples, line.resamples);
  if (!options.resample) return out;
  if (!predictions.groupings.empty()) {
    auto found = groups(data->view(), predictions.groupings,
                        {.seed = options.seed, .threads = options.threads, .progress = options.progress});
    if (!found) return found.error();
    found->input = out.input;
    out.groups = *std::move(found);
  }
  if (options.verdict) {
    auto test = tested(sample, out, options);
    if (!test) return test.error();
    out.test = *std::move(test);
    for (Measured& m : out.measured) follow(out.test->verdict, m);
  }
  const BandOptions bands{.seed = options.seed, .threads = options.threads};
  out.bands = bands_of(out, sample.ordered(), bands);
  out.band_resamples = bands.resamples;
  return out;
}

}  // namespace tare::detail::analysis
