#include "tare/analysis/curves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "tare/analysis/input_info.hpp"
#include "tare/infer/band/curve_band.hpp"
#include "tare/infer/interval/interval.hpp"
#include "tare/infer/resample/ticker.hpp"
#include "tare/measure/estimators.hpp"
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

Result<NamedCurve> named_curve(const Predictions& predictions, std::string name, const NamedCurveOptions& options) {
  if (const auto fine = all_of({in_range(options::bins, options.bins), in_range(options::threads, options.threads)});
      !fine)
    return fine.error();
  const auto one = one_problem(predictions, options.reduction, options.threads,
                               "every class has a curve of its own, and this picture shows one for each model",
                               "take top_label or positive as `reduction`");
  if (!one) return one.error();
  const measure::Sample sample(one->data.view(), options.threads);
  NamedCurve out{.name = std::move(name), .input = input_info(predictions, one->reduction)};
  out.curve = infer::curve_band(sample.ordered());
  out.histogram = measure::diagram(sample.bins(Binning::width, static_cast<std::size_t>(options.bins)), Binning::width,
                                   sample.unit());
  return out;
}

namespace {

constexpr std::size_t fewest_rows = 20;  // below that no test of these finds anything

// Two for every factor of ten, round, around the n of the data.
std::vector<std::size_t> usual_sizes(double n) {
  std::vector<std::size_t> out;
  const double last = std::clamp(100 * n, 1e4, 1e9);
  for (double power = 1; power <= last; power *= 10)
    for (const double lead : {1.0, 3.0})
      if (const double size = lead * power; std::abs(std::log(size / n)) > 0.3 &&
                                            size >= std::max(n / 10, static_cast<double>(fewest_rows)) && size <= last)
        out.push_back(static_cast<std::size_t>(size));
  return out;
}

// Where the smallest error falls to `error`, on straight lines between the points on logarithmic axes.
std::optional<double> rows_needed(const std::vector<DetectablePoint>& points, double error) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto here = points[i].smallest.tce;
    if (!here || *here > error) continue;
    if (i == 0 || !points[i - 1].smallest.tce) return points[i].n;
    const double above = *points[i - 1].smallest.tce;
    const double part = std::log(above / error) / std::log(above / *here);
    return points[i - 1].n * std::pow(points[i].n / points[i - 1].n, part);
  }
  return std::nullopt;
}

}  // namespace

numeric::Ordered resized(const numeric::Ordered& rows, std::size_t n) {
  std::vector<double> score;
  std::vector<std::uint64_t> mass;
  const auto total = static_cast<double>(rows.total_mass()), wanted = static_cast<double>(n);
  std::uint64_t before = 0;
  for (std::size_t g = 0; g < rows.groups(); ++g) {
    // ranks up to here: those with (i + 1/2) / n below the share of the mass
    const double share = static_cast<double>(rows.mass_before(g + 1)) / total;
    const auto through = g + 1 == rows.groups() ? n : static_cast<std::uint64_t>(std::floor(share * wanted + 0.5));
    if (through == before) continue;
    score.push_back(rows.score(g));
    mass.push_back(through - before);
    before = through;
  }
  const std::vector<std::uint64_t> none(mass.size(), 0);
  return {std::move(score), mass, none};
}

Result<DetectableCurve> detectable_curve(const Predictions& predictions, const DetectableCurveOptions& options) {
  const auto reduction = choose_reduction(predictions, options.test.reduction);
  if (!reduction) return reduction.error();
  for (const std::size_t n : options.sizes)
    if (const auto fine = in_range(options::n, n); !fine) return fine.error();
  TestOptions here = options.test;
  here.detectable = true;
  here.progress = {};
  here.reduction = *reduction;
  const auto report = test(predictions, here);
  if (!report) return report.error();
  const auto data = binary_problem(predictions, *reduction, here.threads);
  if (!data) return data.error();
  const BinaryView view = data->view();
  const auto rows = numeric::order(view.score(), view.label(), view.weight(), here.threads);

  DetectableCurve out{
      .input = report->input, .estimate = report->verdict.square, .resamples = report->resamples, .seed = report->seed};
  out.points.push_back({.n = rows.weight(), .smallest = *report->detectable, .here = true});
  auto sizes = options.sizes.empty() ? usual_sizes(rows.weight()) : options.sizes;
  const infer::Ticker ticker(options.test.progress, "sizes", sizes.size());
  for (const std::size_t n : sizes) {
    const auto found = detectable_for(resized(rows, n), here);
    if (!found) return found.error();
    if (static_cast<double>(n) != rows.weight())
      out.points.push_back({.n = static_cast<double>(n), .smallest = *found});
    ticker.done();
  }
  std::sort(out.points.begin(), out.points.end(), [](const auto& a, const auto& b) { return a.n < b.n; });
  if (out.estimate.value && *out.estimate.value > 0) out.needed = rows_needed(out.points, *out.estimate.value);
  return out;
}

}  // namespace tare::detail::analysis
