#include "tare/analysis/rejection.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tare/analysis/input_info.hpp"
#include "tare/infer/interval/interval.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {
namespace {

struct ScoreGroup {
  double score = 0;  // of the predicted class
  std::uint64_t mass = 0, hits = 0;
};

// The surest first, equal scores together. Of two equal probabilities the first class is predicted.
std::vector<ScoreGroup> by_confidence(const numeric::Ordered& rows, bool of_class_one) {
  std::vector<ScoreGroup> all;
  for (std::size_t g = rows.groups(); g-- > 0;) {
    const bool other = of_class_one && rows.score(g) <= 0.5;
    all.push_back(
        {other ? 1 - rows.score(g) : rows.score(g), rows.mass(g), other ? rows.mass(g) - rows.hits(g) : rows.hits(g)});
  }
  if (!of_class_one) return all;
  std::sort(all.begin(), all.end(), [](const ScoreGroup& a, const ScoreGroup& b) { return a.score > b.score; });
  std::vector<ScoreGroup> out;
  for (const ScoreGroup& g : all) {
    if (out.empty() || out.back().score != g.score) out.push_back({.score = g.score});
    out.back().mass += g.mass;
    out.back().hits += g.hits;
  }
  return out;
}

}  // namespace

Result<RejectionCurve> rejection(const Predictions& predictions, const RejectionOptions& options) {
  const auto one = one_problem(predictions, options.reduction, options.threads,
                               "rows are refused by the score of their predicted class, not by that of every class",
                               "leave `reduction` out");
  if (!one) return one.error();
  const bool positive_class = one->reduction == Reduction::positive;
  const BinaryView view = one->data.view();
  const auto rows = numeric::order(view.score(), view.label(), view.weight(), options.threads);
  const auto groups = by_confidence(rows, positive_class);

  RejectionCurve out{.input = input_info(predictions, one->reduction), .thresholds = groups.size()};
  const auto unit = static_cast<double>(rows.unit()), total = static_cast<double>(rows.total_mass());
  std::uint64_t kept = 0, hits = 0;
  double claimed = 0, area = 0;
  std::size_t next = 1;  // the first share, in steps of 1 / points, that has no point yet
  for (std::size_t g = 0; g < groups.size(); ++g) {
    kept += groups[g].mass;
    hits += groups[g].hits;
    const auto more = static_cast<double>(groups[g].mass), mass = static_cast<double>(kept);
    const double accuracy = static_cast<double>(hits) / mass;
    claimed += groups[g].score * more;
    area += accuracy * more;
    const double steps = mass / total * static_cast<double>(options.points);
    const bool thinned = groups.size() > options.points && steps < static_cast<double>(next);
    if (thinned && g + 1 < groups.size()) continue;
    next = static_cast<std::size_t>(steps) + 1;
    const auto interval = infer::wilson(accuracy, mass / unit);
    out.points.push_back({mass / total, groups[g].score, mass / unit, accuracy, interval.low, interval.high,
                          std::min(claimed / mass, 1.0)});
  }
  out.mean_accuracy = area / total;
  return out;
}

}  // namespace tare::detail::analysis
