// 95% intervals for the true calibration error from estimators that have a bias: test inversion along a path of truths.
//
// A calibration curve is fitted to the data, and labels are redrawn on the same scores from truths on the straight path
// from perfect calibration through that curve and beyond. A true error is plausible if the measured value lies between
// the 2.5% and the 97.5% quantile of the estimator there: bias and noise are both in it. What another sample of scores
// would change is added to the width.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "tare/infer/interval/interval.hpp"
#include "tare/infer/resample/null.hpp"
#include "tare/simulate/fit/fit_truth.hpp"

namespace tare::detail::infer {

struct PathIntervalOptions {
  std::size_t draws = 200;  // per truth
  std::uint64_t seed = 1;
  int threads = 1;
};

// Quantiles of an estimator's square at truths of rising squared error, the first being 0.
struct SquarePath {
  std::vector<double> error;
  std::vector<double> quantile;
};
// The squared error at which the quantile is `observed`, 0 below the first. Linear between points, and beyond the last
// with slope 1: bias no longer changes there.
inline double solved(const SquarePath& path, double observed) {
  double error = path.error.front(), quantile = path.quantile.front();
  if (observed <= quantile) return 0;
  for (std::size_t i = 1; i < path.error.size(); ++i) {
    if (path.quantile[i] <= quantile) continue;  // noise of the simulation: quantiles rise along the path
    if (observed <= path.quantile[i])
      return error + (path.error[i] - error) * (observed - quantile) / (path.quantile[i] - quantile);
    error = path.error[i];
    quantile = path.quantile[i];
  }
  return error + observed - quantile;
}

namespace path_parts {

inline constexpr double strengths[] = {0.5, 1, 2};
inline constexpr std::uint32_t stream_of_paths = 0x3000'0000;  // away from the redrawings of the null and of tare test
inline constexpr double z95 = 1.959963984540054;

// Per cell: how far the fitted hit rate is from the score. Empty if nothing that differs from calibration can be
// fitted.
inline std::vector<double> direction(const numeric::Ordered& cells) {
  const auto table = simulate::fit_curves(cells, {});
  if (!table) return {};
  for (const auto& line : *table) {
    std::vector<double> out;
    double largest = 0;
    for (const double c : cells.scores()) {
      out.push_back(std::clamp(line.curve.hit({c, 1 - c}), 0.0, 1.0) - c);
      largest = std::max(largest, std::abs(out.back()));
    }
    if (largest > 1e-9) return out;
  }
  return {};
}

struct Truth {
  std::vector<double> rate = {};
  double square[3] = {};    // of the true error in norms 1 and 2
  double relative[3] = {};  // standard error of the true error over samples of the scores, in parts of it
};

inline Truth truth_at(const numeric::Ordered& cells, std::span<const double> gap, double strength) {
  Truth out;
  double first = 0, second = 0, fourth = 0;
  const double n = static_cast<double>(cells.total_mass());
  for (std::size_t c = 0; c < cells.groups(); ++c) {
    const double score = cells.score(c), mass = static_cast<double>(cells.mass(c)) / n;
    out.rate.push_back(std::clamp(score + strength * gap[c], 0.0, 1.0));
    const double d = std::abs(out.rate.back() - score);
    first += mass * d;
    second += mass * d * d;
    fourth += mass * d * d * d * d;
  }
  out.square[1] = first * first;
  out.square[2] = second;
  const double rows = cells.weight();
  if (first > 0) out.relative[1] = std::sqrt(std::max(second - first * first, 0.0) / rows) / first;
  if (second > 0) out.relative[2] = std::sqrt(std::max(fourth - second * second, 0.0) / rows) / (2 * second);
  return out;
}

inline double square_of(const ResampledChoice& line, double term) { return line.norm() == 2 ? term : term * term; }

struct Quantiles {
  double low = 0, middle = 0, high = 0;
};
inline std::optional<Quantiles> quantiles_of(const ResampledChoice& line, std::span<const NullValue> values) {
  std::vector<double> y;
  for (const NullValue& v : values)
    if (v.defined) y.push_back(square_of(line, v.term));
  if (y.size() < 40 || 2 * y.size() < values.size()) return {};
  std::sort(y.begin(), y.end());
  const std::size_t tail = (y.size() + 1) / 40;  // rank of the 2.5% quantile
  return Quantiles{y[tail - 1], y[y.size() / 2], y[y.size() - tail]};
}

struct Paths {
  SquarePath low, middle, high;
  void add(double error, const Quantiles& q) {
    for (const auto& [path, value] : {std::pair{&low, q.low}, std::pair{&middle, q.middle}, std::pair{&high, q.high}}) {
      path->error.push_back(error);
      path->quantile.push_back(value);
    }
  }
};

inline Interval inverted(const Paths& paths, double y, double relative) {
  const double low = std::sqrt(solved(paths.high, y)), middle = std::sqrt(solved(paths.middle, y)),
               high = std::sqrt(solved(paths.low, y)), scores = z95 * relative * middle;
  return {low > 0 ? std::max(middle - std::hypot(middle - low, scores), 0.0) : 0,
          std::min(middle + std::hypot(std::max(high - middle, 0.0), scores), 1.0),
          "inverted 95% along a path of simulated truths"};
}

}  // namespace path_parts

// terms[line]: term_of the measured value; empty: no interval wanted. calibrated: the values of the redrawn labels at
// perfect calibration. Every result is empty where no curve can be fitted, or none that differs from calibration.
inline std::vector<std::optional<Interval>> path_intervals(const NullCells& cells,
                                                           std::span<const ResampledChoice> lines,
                                                           std::span<const std::optional<double>> terms,
                                                           const NullValues& calibrated,
                                                           const PathIntervalOptions& options) {
  std::vector<std::optional<Interval>> out(lines.size());
  std::vector<ResampledChoice> drawn(lines.begin(), lines.end());
  bool any = false;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const bool wanted = terms[l] && lines[l].norm() && !calibrated[l].empty();
    drawn[l].resamples = wanted ? options.draws : 0;
    any = any || wanted;
  }
  const numeric::Ordered& data = cells.cells.ordered;
  const auto gap = any ? path_parts::direction(data) : std::vector<double>();
  if (gap.empty()) return out;
  std::vector<path_parts::Paths> paths(lines.size());
  std::vector<bool> known(lines.size());
  const auto add = [&](const path_parts::Truth& truth, const NullValues& values) {
    for (std::size_t l = 0; l < lines.size(); ++l) {
      if (drawn[l].resamples == 0) continue;
      const auto q = path_parts::quantiles_of(lines[l], values[l]);
      known[l] = q.has_value() && (known[l] || truth.square[2] == 0);
      if (q) paths[l].add(truth.square[*lines[l].norm()], *q);
    }
  };
  add(path_parts::truth_at(data, gap, 0), calibrated);
  double relative[3] = {};
  std::uint32_t stream = path_parts::stream_of_paths;
  for (const double strength : path_parts::strengths) {
    const path_parts::Truth truth = path_parts::truth_at(data, gap, strength);
    if (strength == 1) std::copy(std::begin(truth.relative), std::end(truth.relative), relative);
    NullValues values = empty_values(drawn);
    Redraw(data, truth.rate)
        .for_each(
            options.seed, stream++, 0, options.draws, options.threads,
            [&](std::size_t r, std::span<const std::uint64_t> hits) { run_replicate(cells, hits, drawn, r, values); });
    add(truth, values);
  }
  for (std::size_t l = 0; l < lines.size(); ++l)
    if (known[l])
      out[l] = path_parts::inverted(paths[l], path_parts::square_of(lines[l], *terms[l]), relative[*lines[l].norm()]);
  return out;
}

}  // namespace tare::detail::infer
