#include "tare/answer/survey.hpp"

#include <algorithm>
#include <utility>

#include "tare/answer/classwise.hpp"
#include "tare/answer/input_info.hpp"
#include "tare/answer/lines.hpp"
#include "tare/infer/resample/ticker.hpp"
#include "tare/numeric/parallel.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::inner::answer {
namespace {

// Every line of one binary problem; nll and brier of more than two classes from the full matrix.
std::vector<Measured> survey_problem(const Predictions& predictions, const BinaryView& view,
                                     const std::vector<infer::Line>& lines, const SurveyOptions& options) {
  const bool multiclass = predictions.matrix && predictions.matrix->classes() > 2;
  const auto from_matrix = [&](const infer::Line& line) { return multiclass && line.estimator->run_matrix != nullptr; };
  const measure::Sample sample(view, options.threads);
  const double n = sample.ordered().weight();  // and sorted, once for all lines
  std::vector<Measured> out(lines.size());
  const infer::Ticker ticker(options.progress, "measuring", lines.size());
  for (std::size_t l = 0; l < lines.size(); ++l)
    if (from_matrix(lines[l])) out[l] = measure_line(lines[l], *predictions.matrix, options.threads);
  numeric::parallel_for(lines.size(), options.threads, [&](std::size_t l) {
    if (!from_matrix(lines[l])) out[l] = measure_line(lines[l], sample);
    ticker.done();
  });
  if (!options.resample) return out;

  std::vector<infer::Line> defined = lines;
  for (std::size_t l = 0; l < lines.size(); ++l)
    if (!out[l].estimate) defined[l].resamples = 0;
  const auto cells = infer::null_cells(sample.ordered(), options.bins);
  const auto values = infer::null_values(cells, defined, options.seed, 0, options.threads, options.progress);
  for (std::size_t l = 0; l < lines.size(); ++l) {
    add_interval(out[l], n);
    add_floor(out[l], values[l]);
  }
  return out;
}

}  // namespace

Result<Survey> survey(const Predictions& predictions, const SurveyOptions& options) {
  auto lines = make_lines(options);
  if (!lines) return lines.error();
  const auto reduction = choose_reduction(predictions, options.reduction);
  if (!reduction) return reduction.error();

  Survey out{
      .input = input_info(predictions, *reduction), .seed = options.seed, .class_names = predictions.class_names};
  if (*reduction == Reduction::classwise) {
    auto classes = survey_classes(predictions, *std::move(lines),
                                  {.bins = options.bins,
                                   .resample = options.resample,
                                   .seed = options.seed,
                                   .threads = options.threads,
                                   .progress = options.progress});
    if (!classes) return classes.error();
    out.measured = std::move(classes->measured);
    out.notes = std::move(classes->notes);
    out.resamples = classes->resamples;
    return out;
  }
  const auto data = *reduction == Reduction::positive ? positive(predictions, options.threads)
                                                      : top_label(predictions, options.threads);
  if (!data) return data.error();
  out.measured = survey_problem(predictions, data->view(), *lines, options);
  for (const infer::Line& line : *lines) out.resamples = std::max(out.resamples, line.resamples);
  return out;
}

}  // namespace tare::inner::answer
