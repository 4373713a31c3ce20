#include "tare/analysis/test.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <variant>

#include "tare/analysis/groups.hpp"
#include "tare/analysis/input_info.hpp"
#include "tare/analysis/verdict.hpp"
#include "tare/core/call_options.hpp"
#include "tare/core/errors.hpp"
#include "tare/fit/prior_shift.hpp"
#include "tare/infer/resample/null.hpp"
#include "tare/infer/resample/paired.hpp"
#include "tare/infer/resample/ticker.hpp"
#include "tare/infer/tests/detectable.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {
namespace {

std::string shown(double x) {
  std::array<char, 40> buffer{};
  const auto r = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x,
                               x >= 1e-6 ? std::chars_format::fixed : std::chars_format::general);
  return {buffer.data(), r.ptr};
}

// A level below the smallest possible p-value would never be reached, whatever the data.
std::optional<Error> too_few(const TestOptions& options, const infer::Statistic& statistic) {
  const double sides = statistic.two_sided() ? 2 : 1;
  if (sides < options.alpha * static_cast<double>(options.resamples + 1) * (1 - 1e-12)) return std::nullopt;
  const auto needed = static_cast<std::uint64_t>(std::floor(sides / options.alpha + 1e-9));
  return bad_option(std::to_string(options.resamples) + " resamples cannot give a p-value below " +
                        shown(options.alpha) + (sides == 2 ? " to a two-sided test" : ""),
                    "pass at least " + std::to_string(needed) + " resamples, or a larger alpha");
}

Result<std::vector<infer::Statistic>> statistics_of(const TestOptions& options) {
  if (const auto fine = check(detail::test_options, options); !fine) return fine.error();
  if (options.gate && options.statistics.size() > 1)
    return bad_option(
        "a gate decides by one statistic, and " + std::to_string(options.statistics.size()) + " were named",
        "several would reject calibrated models more often than alpha");
  std::vector<std::string_view> names(options.statistics.begin(), options.statistics.end());
  if (names.empty()) names = infer::default_statistics();
  std::vector<infer::Statistic> out;
  for (const auto name : names) {
    auto statistic = infer::find_statistic(name, {.bins = options.bins, .norm = options.norm});
    if (!statistic) return statistic.error();
    if (auto error = too_few(options, *statistic)) return *std::move(error);
    out.push_back(*std::move(statistic));
  }
  return out;
}

// values[statistic][replicate]; empty where the statistic is undefined.
using Values = std::vector<std::vector<std::optional<double>>>;

Values redraw_all(const infer::NullCells& cells, std::span<const infer::Statistic> statistics,
                  const TestOptions& options) {
  Values out(statistics.size(), std::vector<std::optional<double>>(options.resamples));
  const infer::Ticker ticker(options.progress, "redrawing", options.resamples);
  infer::Redraw(cells.cells.ordered)
      .for_each(options.seed, 0, 0, options.resamples, options.threads,
                [&](std::size_t r, std::span<const std::uint64_t> hits) {
                  const measure::Sample sample = infer::redrawn(cells, hits);
                  for (std::size_t s = 0; s < statistics.size(); ++s)
                    if (const auto value = statistics[s](sample)) out[s][r] = *value;
                  ticker.done();
                });
  return out;
}

infer::NullDistribution distribution(const std::vector<std::optional<double>>& values, bool two_sided) {
  std::vector<double> defined;
  for (const auto& v : values)
    if (v) defined.push_back(*v);
  const std::size_t undefined = values.size() - defined.size();
  return {std::move(defined), undefined, two_sided};
}

Detectable find_detectable(const infer::NullCells& cells, const infer::Statistic& statistic,
                           const infer::NullDistribution& null, const TestOptions& options) {
  return infer::find_detectable(
      cells, statistic, null,
      {.alpha = options.alpha, .power = options.power, .seed = options.seed, .threads = options.threads});
}

TestResult blank(const infer::Statistic& statistic) {
  TestResult out;
  out.name = statistic.name();
  out.title = statistic.title();
  out.norm = statistic.norm();
  out.squared = statistic.squared();
  out.two_sided = statistic.two_sided();
  return out;
}

// observed: on the cells; shown: on the rows.
TestResult conclude(const infer::Statistic& statistic, const Result<double>& observed, const Result<double>& shown,
                    const infer::NullDistribution& null, double alpha) {
  TestResult out = blank(statistic);
  if (!observed || !shown) {
    out.reason = sentence((shown ? observed : shown).error());
    return out;
  }
  if (std::isfinite(*shown))
    out.statistic = *shown;
  else
    out.reason = "the statistic is infinite: rows contradict probabilities of almost 0 or 1";
  out.p_value = null.p_value(*observed);
  const auto range = null.accepted(alpha);
  if (range.low && std::isfinite(*range.low)) out.accepted_low = range.low;
  if (range.high && std::isfinite(*range.high)) out.accepted_high = range.high;
  return out;
}

// The smooth test sets certain rows aside. A wrong one speaks for itself; where all are certain and right, nothing
// speaks against calibration.
void apply_certain_rows(TestResult& smooth, const numeric::Ordered& rows) {
  smooth.p_value = std::min(smooth.p_value.value_or(1), p_of_certain(certain_in(rows)));
}

}  // namespace

Result<TestReport> test_sample(const measure::Sample& sample, const TestOptions& options,
                               std::span<const Measured> known) {
  const auto chosen = statistics_of(options);
  if (!chosen) return chosen.error();
  const std::vector<infer::Statistic>& statistics = *chosen;
  const numeric::Ordered& rows = sample.ordered();
  infer::NullCells cells = infer::null_cells(rows, options.bins, options.cells);
  const bool gathered = cells.cells.ordered.groups() < rows.groups();
  const measure::Sample observed(cells.cells.ordered, cells.starts, cells.bases);
  const Values values = redraw_all(cells, statistics, options);

  TestReport out{.seed = options.seed, .resamples = options.resamples, .alpha = options.alpha};
  for (std::size_t s = 0; s < statistics.size(); ++s) {
    const infer::NullDistribution null = distribution(values[s], statistics[s].two_sided());
    const auto on_cells = statistics[s](observed);
    TestResult& made = out.tests.emplace_back(
        conclude(statistics[s], on_cells, gathered ? statistics[s](sample) : on_cells, null, options.alpha));
    if (statistics[s].test && statistics[s].test->evidence)
      if (auto evidence = statistics[s].test->evidence(gathered ? sample : observed))
        made.evidence = *std::move(evidence);
    if (statistics[s].test == &infer::all_tests().front()) apply_certain_rows(made, rows);
    if (s == 0 && options.detectable) out.detectable = find_detectable(cells, statistics[s], null, options);
  }
  if (options.gate && !out.tests.front().p_value)
    return failure(Errc::undefined, out.tests.front().name + " cannot decide: " + out.tests.front().reason,
                   "pass another `statistics`");
  out.verdict = verdict_of(sample, observed, out, known);
  if (options.gate) out.gate = Gate{out.verdict.test, options.alpha, out.verdict.outcome == Outcome::miscalibrated};
  return out;
}

Result<Detectable> detectable_for(const numeric::Ordered& scores, const TestOptions& options) {
  const auto chosen = statistics_of(options);
  if (!chosen) return chosen.error();
  const std::span<const infer::Statistic> first(chosen->data(), 1);
  const infer::NullCells cells = infer::null_cells(scores, options.bins, options.cells);
  const Values values = redraw_all(cells, first, options);
  return find_detectable(cells, first[0], distribution(values[0], first[0].two_sided()), options);
}

Result<TestReport> test(const Predictions& predictions, const TestOptions& options) {
  if (const auto statistics = statistics_of(options); !statistics) return statistics.error();
  const auto one =
      one_problem(predictions, options.reduction, options.threads, "test works on top_label or positive, not classwise",
                  "`tare measure --reduction classwise` shows every class beside its noise");
  if (!one) return one.error();
  auto report = test_sample(measure::Sample(one->data.view(), options.threads), options);
  if (!report) return report.error();
  report->input = input_info(predictions, one->reduction);
  report->level = level_shift(predictions, one->reduction, *report, options);
  if (!predictions.groupings.empty()) {
    auto found = groups(
        one->data.view(), predictions.groupings,
        {.alpha = options.alpha, .seed = options.seed, .threads = options.threads, .progress = options.progress});
    if (!found) return found.error();
    found->input = report->input;
    report->groups = *std::move(found);
  }
  return report;
}

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

}  // namespace tare::detail::analysis
