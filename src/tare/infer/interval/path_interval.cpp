#include "tare/infer/interval/path_interval.hpp"

#include <algorithm>
#include <cmath>

#include "tare/simulate/fit/fit_curve.hpp"

namespace tare::inner::infer {
namespace {

constexpr double strengths[] = {0.5, 1, 2};
constexpr std::uint32_t stream_of_paths = 0x3000'0000;  // away from the redrawings of the null and of tare test
constexpr double z95 = 1.959963984540054;

// Per cell: how far the fitted hit rate is from the score. Empty if nothing that differs from calibration can be
// fitted.
std::vector<double> direction(const numeric::Ordered& cells) {
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

Truth truth_at(const numeric::Ordered& cells, std::span<const double> gap, double strength) {
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

double square_of(const Line& line, double term) { return line.norm == 2 ? term : term * term; }

struct Quantiles {
  double low = 0, middle = 0, high = 0;
};
std::optional<Quantiles> quantiles_of(const Line& line, std::span<const NullValue> values) {
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

Interval inverted(const Paths& paths, double y, double relative) {
  const double low = std::sqrt(solved(paths.high, y)), middle = std::sqrt(solved(paths.middle, y)),
               high = std::sqrt(solved(paths.low, y)), scores = z95 * relative * middle;
  return {low > 0 ? std::max(middle - std::hypot(middle - low, scores), 0.0) : 0,
          std::min(middle + std::hypot(std::max(high - middle, 0.0), scores), 1.0),
          "inverted 95% along a path of simulated truths"};
}

}  // namespace

double solved(const SquarePath& path, double observed) {
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

std::vector<std::optional<Interval>> path_intervals(const NullCells& cells, std::span<const Line> lines,
                                                    std::span<const std::optional<double>> terms,
                                                    const NullValues& calibrated, const PathIntervalOptions& options) {
  std::vector<std::optional<Interval>> out(lines.size());
  std::vector<Line> drawn(lines.begin(), lines.end());
  bool any = false;
  for (std::size_t l = 0; l < lines.size(); ++l) {
    const bool wanted = terms[l] && lines[l].norm && !calibrated[l].empty();
    drawn[l].resamples = wanted ? options.draws : 0;
    any = any || wanted;
  }
  const numeric::Ordered& data = cells.cells.ordered;
  const auto gap = any ? direction(data) : std::vector<double>();
  if (gap.empty()) return out;
  std::vector<Paths> paths(lines.size());
  std::vector<bool> known(lines.size());
  const auto add = [&](const Truth& truth, const NullValues& values) {
    for (std::size_t l = 0; l < lines.size(); ++l) {
      if (drawn[l].resamples == 0) continue;
      const auto q = quantiles_of(lines[l], values[l]);
      known[l] = q.has_value() && (known[l] || truth.square[2] == 0);
      if (q) paths[l].add(truth.square[*lines[l].norm], *q);
    }
  };
  add(truth_at(data, gap, 0), calibrated);
  double relative[3] = {};
  std::uint32_t stream = stream_of_paths;
  for (const double strength : strengths) {
    const Truth truth = truth_at(data, gap, strength);
    if (strength == 1) std::copy(std::begin(truth.relative), std::end(truth.relative), relative);
    NullValues values = empty_values(drawn);
    Redraw(data, truth.rate)
        .for_each(
            options.seed, stream++, 0, options.draws, options.threads,
            [&](std::size_t r, std::span<const std::uint64_t> hits) { run_replicate(cells, hits, drawn, r, values); });
    add(truth, values);
  }
  for (std::size_t l = 0; l < lines.size(); ++l)
    if (known[l]) out[l] = inverted(paths[l], square_of(lines[l], *terms[l]), relative[*lines[l].norm]);
  return out;
}

}  // namespace tare::inner::infer
