#include "tare/analysis/calibrator_map.hpp"

#include <algorithm>
#include <numeric>

#include "tare/analysis/input_info.hpp"
#include "tare/core/errors.hpp"
#include "tare/fit/rows/map.hpp"
#include "tare/fit/run.hpp"
#include "tare/measure/estimators.hpp"
#include "tare/reduce/reduce.hpp"

namespace tare::detail::analysis {
namespace {

struct Mapped {
  double before = 0, after = 0, weight = 1;
};

// A tenth of the weight is below, or nine tenths are: of results in ascending order.
double map_quantile(const std::vector<std::pair<double, double>>& sorted, double total, double share) {
  double below = 0;
  for (const auto& [value, weight] : sorted)
    if ((below += weight) >= share * total) return value;
  return sorted.back().first;
}

MapPoint summary(std::span<const Mapped> rows) {
  MapPoint out;
  std::vector<std::pair<double, double>> results;
  for (const Mapped& row : rows) {
    out.weight += row.weight;
    out.before += row.weight * row.before;
    out.after += row.weight * row.after;
    results.emplace_back(row.after, row.weight);
  }
  out.before /= out.weight;
  out.after /= out.weight;
  std::sort(results.begin(), results.end());
  out.low = map_quantile(results, out.weight, 0.1);
  out.high = map_quantile(results, out.weight, 0.9);
  return out;
}

// Parts of equal weight, equal scores together.
std::vector<MapPoint> curve_of(std::vector<Mapped> rows, std::size_t points) {
  std::sort(rows.begin(), rows.end(), [](const Mapped& a, const Mapped& b) {
    return a.before < b.before || (a.before == b.before && a.after < b.after);
  });
  double total = 0;
  for (const Mapped& row : rows) total += row.weight;
  std::vector<MapPoint> out;
  const std::span<const Mapped> all(rows);
  double done = 0;
  for (std::size_t from = 0; from < rows.size();) {
    const double until = total * static_cast<double>(out.size() + 1) / static_cast<double>(points);
    std::size_t to = from;
    do done += rows[to++].weight;
    while (to < rows.size() && (rows[to].before == rows[to - 1].before || done < until));
    out.push_back(summary(all.subspan(from, to - from)));
    from = to;
  }
  return out;
}

// Rows of the reduced problem with what the calibrator makes of them.
template <class After>
MapLine map_line(const BinaryData& data, const After& after, const CalibratorMapOptions& options) {
  const BinaryView view = data.view();
  std::vector<Mapped> rows(view.size());
  view.score().visit([&](auto score) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = {static_cast<double>(score[i]), after(i), view.weight().empty() ? 1.0 : view.weight()[i]};
  });
  std::erase_if(rows, [](const Mapped& row) { return !(row.weight > 0); });
  const measure::Sample sample(view, options.threads);
  MapLine out{.curve = curve_of(std::move(rows), options.points)};
  out.data = measure::diagram(sample.bins(Binning::mass, static_cast<std::size_t>(options.bins)), Binning::mass,
                              sample.unit());
  return out;
}

// The classes with the most labels, the largest first.
std::vector<std::size_t> largest_classes(const MulticlassView& m, std::size_t most) {
  std::vector<std::size_t> count(m.classes()), order(m.classes());
  for (const std::int32_t label : m.label()) ++count[static_cast<std::size_t>(label)];
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
  order.resize(std::min(order.size(), most));
  std::sort(order.begin(), order.end());
  return order;
}

std::size_t map_columns(const Predictions& p) { return p.matrix ? p.matrix->columns() : 1; }

Result<std::vector<double>> mapped_rows(const Predictions& p, const Model& model, int threads) {
  if (!p.matrix && !p.confidences)
    return failure(Errc::unsupported, "a calibrator works on rows, and this state holds sums of them", "pass the rows");
  const auto map = fit::map_for(model, p);
  if (!map) return map.error();
  const Reals values = p.matrix ? p.matrix->values() : p.confidences->score();
  std::vector<double> out((p.matrix ? p.matrix->size() : p.confidences->size()) * map_columns(p));
  fit::apply_rows(**map, values, map_columns(p), 0, out, threads);
  return out;
}

Result<void> add_class_lines(CalibratorMap& out, const Predictions& p, const std::vector<double>& after,
                             const CalibratorMapOptions& options) {
  const auto problems = OneVsRest::make(p, options.threads);
  if (!problems) return problems.error();
  out.classes = p.matrix->classes();
  const std::size_t columns = map_columns(p);
  for (const std::size_t c : largest_classes(*p.matrix, options.classes)) {
    const auto data = problems->problem(c, options.threads);
    MapLine line = map_line(
        data, [&](std::size_t i) { return columns > 1 ? after[i * columns + c]
                                          : c == 1    ? after[i]
                                                      : 1 - after[i]; },
        options);
    line.class_index = c;
    line.name = c < p.class_names.size() ? p.class_names[c] : std::to_string(c);
    out.lines.push_back(std::move(line));
  }
  return {};
}

// What the map makes of the class that is predicted before.
Result<void> add_predicted(CalibratorMap& out, const Predictions& p, const std::vector<double>& after,
                           const CalibratorMapOptions& options) {
  const bool one = out.input.reduction == Reduction::positive;
  const auto data = binary_problem(p, out.input.reduction, options.threads);
  if (!data) return data.error();
  const std::size_t columns = map_columns(p);
  if (!p.matrix) {
    out.lines.push_back(map_line(
        *data, [&](std::size_t i) { return after[i]; }, options));
    return {};
  }
  p.matrix->values().visit([&](auto values) {
    const bool logits = p.matrix->kind() == Kind::logits;
    out.lines.push_back(map_line(
        *data,
        [&](std::size_t i) {
          if (one) return columns == 1 ? after[i] : after[i * columns + 1];
          if (columns == 1) return values[i] > (logits ? 0 : 0.5) ? after[i] : 1 - after[i];
          const auto row = values.subspan(i * columns, columns);
          return after[i * columns + static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin())];
        },
        options));
  });
  return {};
}

}  // namespace

Result<CalibratorMap> calibrator_map(const Predictions& predictions, const Model& model,
                                     const CalibratorMapOptions& options) {
  if (const auto fine = all_of({in_range(options::bins, options.bins), in_range(options::threads, options.threads)});
      !fine)
    return fine.error();
  const auto reduction = choose_reduction(predictions, options.reduction);
  if (!reduction) return reduction.error();
  const auto after = mapped_rows(predictions, model, options.threads);
  if (!after) return after.error();
  CalibratorMap out{.input = input_info(predictions, *reduction), .method = model.method};
  const auto done = *reduction == Reduction::classwise ? add_class_lines(out, predictions, *after, options)
                                                       : add_predicted(out, predictions, *after, options);
  if (!done) return done.error();
  return out;
}

Result<Predictions> recalibrated(const Predictions& predictions, const Model& model, int threads) {
  auto after = mapped_rows(predictions, model, threads);
  if (!after) return after.error();
  Predictions out = predictions;
  const auto kept = std::make_shared<const std::vector<double>>(*std::move(after));
  out.owners.push_back(kept);
  if (predictions.matrix) {
    const auto view = multiclass_view(Kind::probs, std::span<const double>(*kept), map_columns(predictions),
                                      predictions.matrix->label(), predictions.matrix->weight());
    if (!view) return view.error();
    out.kind = Kind::probs;
    out.matrix = *view;
  } else {
    const auto view = binary_view(std::span<const double>(*kept), predictions.confidences->label(),
                                  predictions.confidences->weight());
    if (!view) return view.error();
    out.confidences = *view;
  }
  return out;
}

}  // namespace tare::detail::analysis
