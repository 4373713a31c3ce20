#include "tare/answer/level_shift.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "tare/fit/prior_shift.hpp"
#include "tare/fit/run.hpp"

namespace tare::inner::answer {
namespace {

constexpr std::size_t enough_resamples = 199;

struct ShiftedScores {
  std::vector<double> score;
  std::vector<std::uint8_t> label;
};

// Block by block, so that the shifted matrix need not fit into memory.
ShiftedScores shifted_scores(const fit::Map& map, const MulticlassView& view, Reduction reduction, int threads) {
  const std::size_t n = view.size(), k = view.columns();
  const std::size_t block = std::max<std::size_t>(1, (std::size_t{1} << 20) / k);
  ShiftedScores out{std::vector<double>(n), std::vector<std::uint8_t>(n)};
  std::vector<double> p;
  for (std::size_t first = 0; first < n; first += block) {
    p.resize(std::min(block, n - first) * k);
    fit::apply_rows(map, view.values(), k, first, p, threads);
    for (std::size_t i = 0; i * k < p.size(); ++i) {
      const auto row = std::span<const double>(p).subspan(i * k, k);
      const auto label = static_cast<std::size_t>(view.label()[first + i]);
      std::size_t top = k == 1 ? 1 : static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
      if (reduction == Reduction::positive)
        top = 1;
      else if (k == 1 && !(row[0] > 0.5))
        top = 0;
      const double of_top = k > 1 ? row[top] : top == 1 ? row[0] : 1 - row[0];
      out.score[first + i] = std::clamp(of_top, 0.0, 1.0);
      out.label[first + i] = label == top;
    }
  }
  return out;
}

}  // namespace

std::optional<LevelShift> level_shift(const Predictions& predictions, Reduction reduction, const TestReport& report,
                                      const TestOptions& options) {
  const std::string_view name = infer::all_tests().front().name;
  const auto raw =
      std::find_if(report.tests.begin(), report.tests.end(), [&](const auto& t) { return t.name == name; });
  if (raw == report.tests.end() || !raw->p_value || *raw->p_value > options.alpha) return std::nullopt;
  if (!predictions.matrix || report.contradictions.any()) return std::nullopt;
  const auto model = fit::prior_shift(*predictions.matrix, {.threads = options.threads});
  if (!model || model->fit.status != FitStatus::converged) return std::nullopt;
  const auto map = fit::load_prior_shift(*model);
  if (!map) return std::nullopt;
  const ShiftedScores scores = shifted_scores(**map, *predictions.matrix, reduction, options.threads);
  const auto view = binary_view(std::span<const double>(scores.score), scores.label, predictions.matrix->weight());
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
  out.explained = out.p_value > options.alpha;
  return out;
}

}  // namespace tare::inner::answer
