#include "tare/infer/band/smooth_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tare::inner::infer {
namespace {

// Standard deviations of the kernel, as shares of the rows; the last is a line through all.
constexpr std::array<double, 9> widths{0.015, 0.025, 0.04, 0.06, 0.1, 0.15, 0.25, 0.5, 5};

struct RankCells {
  std::vector<double> rank, weight, gap;  // gap: hit rate less mean score
};

RankCells rank_cells(const numeric::Ordered& cells) {
  RankCells out;
  const auto total = static_cast<double>(cells.total_mass());
  for (std::size_t c = 0; c < cells.groups(); ++c) {
    const auto mass = static_cast<double>(cells.mass(c));
    out.rank.push_back((static_cast<double>(cells.mass_before(c)) + mass / 2) / total);
    out.weight.push_back(mass / total);
    out.gap.push_back(static_cast<double>(cells.hits(c)) / mass - cells.score(c));
  }
  return out;
}

// The sums of a weighted line around one cell.
struct LineSums {
  double w = 0, x = 0, xx = 0, y = 0, xy = 0;
  void add(double weight, double at, double value) {
    w += weight;
    x += weight * at;
    xx += weight * at * at;
    y += weight * value;
    xy += weight * at * value;
  }
  // The value of the line at 0; of the mean where the points do not make one.
  [[nodiscard]] double at_zero() const {
    const double mean_x = x / w, spread = xx / w - mean_x * mean_x;
    const double slope = spread > 1e-12 ? (xy / w - mean_x * y / w) / spread : 0;
    return y / w - slope * mean_x;
  }
};

struct Smoothed {
  std::vector<double> gap;     // at every cell
  std::vector<double> square;  // its error where the cell itself is left out, times its weight
};

Smoothed smoothed(const RankCells& cells, double width) {
  const std::size_t count = cells.rank.size();
  Smoothed out;
  for (std::size_t c = 0; c < count; ++c) {
    LineSums others;
    for (std::size_t i = 0; i < count; ++i) {
      const double x = (cells.rank[i] - cells.rank[c]) / width;
      if (i != c && std::abs(x) < 6) others.add(cells.weight[i] * std::exp(-x * x / 2), x * width, cells.gap[i]);
    }
    const double left_out = others.w > 0 ? others.at_zero() - cells.gap[c] : 2;
    out.square.push_back(cells.weight[c] * left_out * left_out);
    others.add(cells.weight[c], 0, cells.gap[c]);
    out.gap.push_back(others.at_zero());
  }
  return out;
}

// Wider is smoother: the widest whose error is above the least by no more than chance explains.
std::vector<double> chosen(const RankCells& cells) {
  std::vector<Smoothed> all;
  std::vector<double> error;
  for (const double width : widths) {
    all.push_back(smoothed(cells, width));
    double sum = 0;
    for (const double e : all.back().square) sum += e;
    error.push_back(sum);
  }
  const auto best = static_cast<std::size_t>(std::min_element(error.begin(), error.end()) - error.begin());
  std::size_t out = best;
  for (std::size_t w = best + 1; w < all.size(); ++w) {
    double variance = 0;
    for (std::size_t c = 0; c < cells.rank.size(); ++c) {
      const double d = all[w].square[c] - all[best].square[c];
      variance += d * d;
    }
    if (error[w] - error[best] <= std::sqrt(variance)) out = w;
  }
  return all[out].gap;
}

void pool(std::vector<double>& value, const std::vector<double>& weight) {
  struct Block {
    double sum, weight;
    std::size_t cells;
    [[nodiscard]] double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  for (std::size_t c = 0; c < value.size(); ++c) {
    blocks.push_back({value[c] * weight[c], weight[c], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().weight += last.weight;
      blocks.back().cells += last.cells;
    }
  }
  std::size_t c = 0;
  for (const Block& b : blocks)
    for (std::size_t i = 0; i < b.cells; ++i) value[c++] = b.mean();
}

}  // namespace

std::vector<double> smooth_curve(const numeric::Ordered& cells, bool rising) {
  const RankCells at = rank_cells(cells);
  std::vector<double> out = cells.groups() < 3 ? at.gap : chosen(at);
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = std::clamp(cells.score(c) + out[c], 0.0, 1.0);
  if (rising) pool(out, at.weight);
  return out;
}

}  // namespace tare::inner::infer
