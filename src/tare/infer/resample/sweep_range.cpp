#include "tare/infer/resample/sweep_range.hpp"

#include <cmath>
#include <vector>

namespace tare::inner::infer {
namespace {

constexpr double few = 1e-3;
constexpr std::size_t most_bins = 1 << 16;
constexpr std::size_t most_visited = 1 << 22;

struct Totals {
  std::vector<double> mass, score, variance;  // before each cell: of the labels
};

Totals totals_of(const numeric::Ordered& cells) {
  Totals out;
  for (auto* v : {&out.mass, &out.score, &out.variance}) v->assign(1, 0);
  for (std::size_t g = 0; g < cells.groups(); ++g) {
    const double m = static_cast<double>(cells.mass(g)) / static_cast<double>(cells.unit()), s = cells.score(g);
    out.mass.push_back(out.mass.back() + m);
    out.score.push_back(out.score.back() + m * s);
    out.variance.push_back(out.variance.back() + m * s * (1 - s));
  }
  return out;
}

// How many bins are expected to have a lower rate than the one before, of bins that come in ascending order.
class Descents {
 public:
  explicit Descents(const Totals& totals) : t_(totals) {}
  void bin(std::size_t from, std::size_t to) {
    const double m = t_.mass[to] - t_.mass[from], rate = (t_.score[to] - t_.score[from]) / m;
    const double variance = (t_.variance[to] - t_.variance[from]) / (m * m);
    const double z = (rate - rate_) / std::sqrt(variance + variance_);
    if (bins_ > 0 && z < 8) expected_ += 0.5 * std::erfc(z / std::sqrt(2.0));
    rate_ = rate;
    variance_ = variance;
    ++bins_;
  }
  [[nodiscard]] double expected() const { return expected_; }
  [[nodiscard]] std::size_t bins() const { return bins_; }

 private:
  const Totals& t_;
  double expected_ = 0, rate_ = 0, variance_ = 0;
  std::size_t bins_ = 0;
};

}  // namespace

numeric::BinCounts sweep_range(const numeric::Ordered& cells, const numeric::BinEdges& edges) {
  const Totals totals = totals_of(cells);
  Descents alone(totals);
  for (std::size_t g = 0; g < cells.groups(); ++g) alone.bin(g, g + 1);
  if (alone.expected() < few) return {most_bins, most_bins};  // not even cells by themselves descend
  double expected = 0;
  std::size_t b = 1;
  for (std::size_t bins = 0; b < most_bins && bins < most_visited && expected < few;) {
    Descents some(totals);
    edges.for_each_bin(++b, [&](std::size_t from, std::size_t to) { some.bin(from, to); });
    expected += some.expected();
    bins += some.bins();
  }
  return {b, most_bins};
}

}  // namespace tare::inner::infer
