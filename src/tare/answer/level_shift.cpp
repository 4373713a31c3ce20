#include "tare/answer/level_shift.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "tare/fit/prior_shift.hpp"
#include "tare/infer/resample/row_losses.hpp"

namespace tare::inner::answer {
namespace {

constexpr std::size_t enough_resamples = 199;

}  // namespace

std::optional<LevelShift> level_shift(const Predictions& predictions, Reduction reduction, const TestReport& report,
                                      const TestOptions& options) {
  const std::string_view name = infer::all_tests().front().name;
  const auto raw =
      std::find_if(report.tests.begin(), report.tests.end(), [&](const auto& t) { return t.name == name; });
  if (raw == report.tests.end() || !raw->p_value || !(*raw->p_value < options.alpha)) return std::nullopt;
  if (!predictions.matrix || report.verdict.certain.wrong() > 0) return std::nullopt;
  const auto model = fit::prior_shift(*predictions.matrix, {.threads = options.threads, .losses = false});
  if (!model || model->fit.status != FitStatus::converged) return std::nullopt;
  const auto map = fit::prior_shift_calibrator.load(*model);
  if (!map) return std::nullopt;
  infer::RowLosses shifted;
  shifted.score.resize(predictions.matrix->size());
  shifted.label.resize(predictions.matrix->size());
  infer::add_losses(*predictions.matrix, map->get(), reduction, {}, shifted, options.threads);
  const auto view = binary_view(std::span<const double>(shifted.score), shifted.label, predictions.matrix->weight());
  if (!view) return std::nullopt;
  const auto least = static_cast<std::size_t>(std::ceil(1 / options.alpha - 1e-9));
  const auto again = test_sample(measure::Sample(*view, options.threads),
                                 {.statistics = {std::string(name)},
                                  .resamples = std::min(options.resamples, std::max(enough_resamples, least)),
                                  .alpha = options.alpha,
                                  .detectable = false,
                                  .cells = options.cells,
                                  .seed = options.seed,
                                  .threads = options.threads});
  if (!again || !again->tests.front().p_value) return std::nullopt;
  LevelShift out{.statistic = std::string(name),
                 .p_value = *again->tests.front().p_value,
                 .resamples = again->resamples,
                 .shift = std::get<std::vector<double>>(model->parameters.at("b"))};
  if (out.shift.size() == 2) out.shift = {out.shift[1] - out.shift[0]};
  out.explained = !(out.p_value < options.alpha);
  return out;
}

}  // namespace tare::inner::answer
