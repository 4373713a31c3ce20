// Several models in one table.
#include <algorithm>
#include <limits>
#include <numeric>

#include "tare/analysis/compare.hpp"
#include "tare/analysis/test.hpp"
#include "tare/infer/resample/paired.hpp"
#include "tare/infer/tests/statistic.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {
namespace {

// Why the rows of two models cannot be taken for the same; empty: they can.
std::string not_the_same(const Predictions& a, const Predictions& b) {
  if (a.summed || b.summed) return "states and tables of cells hold no rows";
  if (!a.matrix || !b.matrix) return "confidences do not say which rows they belong to";
  const bool labels = std::ranges::equal(a.matrix->label(), b.matrix->label());
  const bool weights = std::ranges::equal(a.matrix->weight(), b.matrix->weight());
  return labels && weights ? "" : "the files do not have the same labels";
}

double error_of(const ModelLine& line) {
  return line.test.verdict.mean.value.value_or(std::numeric_limits<double>::infinity());
}

}  // namespace

Result<ModelTable> compare_models(const std::vector<Predictions>& models, const SurveyOptions& options) {
  ModelTable out{.seed = options.seed};
  std::vector<ModelLine> lines;
  std::vector<infer::RowLosses> losses;
  for (const Predictions& p : models) {
    auto report = test(p, {.reduction = options.reduction,
                           .statistics = {std::string(infer::all_tests().front().name)},
                           .bins = options.bins,
                           .seed = options.seed,
                           .threads = options.threads,
                           .progress = options.progress});
    if (!report) return report.error();
    lines.push_back({.test = *std::move(report)});
    losses.emplace_back(p.matrix && !p.summed ? p.n : 0);
    if (!losses.back().score.empty()) {
      infer::add_losses(*p.matrix, nullptr, lines.back().test.input.reduction, {}, losses.back(), options.threads);
      lines.back().brier = infer::mean_loss(losses.back().brier, p.matrix->weight());
    }
    if (out.reason.empty()) out.reason = not_the_same(models.front(), p);
  }
  std::vector<std::size_t> order(models.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return error_of(lines[a]) < error_of(lines[b]); });
  for (const std::size_t i : order) out.models.push_back(std::move(lines[i]));
  out.same_rows = out.reason.empty();
  if (!out.same_rows) return out;
  std::vector<const infer::RowLosses*> methods;
  std::vector<infer::Pair> pairs;
  for (std::size_t i = 0; i < order.size(); ++i) {
    methods.push_back(&losses[order[i]]);
    if (i > 0) pairs.push_back({i, 0});
  }
  out.resamples = infer::affordable_resamples(options::paired_resamples.usual, models.front().n, models.size());
  auto found = infer::paired_differences(methods, models.front().matrix->weight(), pairs, options.bins,
                                         {out.resamples, options.seed, options.threads});
  for (std::size_t i = 1; i < order.size(); ++i) {
    for (Difference& d : found[i - 1]) d.against = out.models.front().test.input.source;
    out.models[i].differences = std::move(found[i - 1]);
  }
  return out;
}

}  // namespace tare::detail::analysis
