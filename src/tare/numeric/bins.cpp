#include "tare/numeric/bins.hpp"

#include <algorithm>

#include "tare/numeric/mass_rows.hpp"
#include "tare/numeric/width_rows.hpp"

namespace tare::numeric {
namespace {

template <class Boundary>
std::vector<BinSums> collect(const Ordered& data, std::size_t b, const Boundary& boundary) {
  std::vector<BinSums> bins(b);
  std::size_t from = 0;
  u128 score_from = 0;
  for (std::size_t j = 0; j < b && from < data.groups(); ++j) {
    const std::size_t to = boundary(j + 1);
    if (to == from) continue;
    const u128 score_to = data.score_before(to);
    bins[j] = {data.mass_before(to) - data.mass_before(from), data.hits_before(to) - data.hits_before(from),
               score_to - score_from, data.score(from), data.score(to - 1)};
    from = to;
    score_from = score_to;
  }
  return bins;
}

}  // namespace

std::size_t width_bin(double score, std::size_t b) {
  auto j = static_cast<std::size_t>(score * static_cast<double>(b));  // at most one off
  j = std::min(j, b - 1);
  while (j > 0 && score <= width_edge(j, b)) --j;
  while (j + 1 < b && score > width_edge(j + 1, b)) ++j;
  return j;
}

std::size_t width_boundary(const Ordered& data, std::size_t j, std::size_t b) {
  if (j == 0) return 0;
  if (j >= b) return data.groups();
  const auto s = data.scores();
  return static_cast<std::size_t>(std::upper_bound(s.begin(), s.end(), width_edge(j, b)) - s.begin());
}

// Group g holds the ranks first .. last, in units of one row: first = F, last = F + w - 1, where
// F is the weight before it and w its own. Its bin is floor((first + last) * b / (2 n)), so it lies
// at or after boundary j iff (2 F + w - 1) * b >= 2 n j. All in whole units of mass.
std::size_t mass_boundary(const Ordered& data, std::size_t j, std::size_t b) {
  if (j == 0) return 0;
  if (j >= b) return data.groups();
  const u128 target = static_cast<u128>(2) * data.total_mass() * j;
  const auto reached = [&](std::size_t g) {
    const u128 twice_middle = static_cast<u128>(data.mass_before(g)) + data.mass_before(g + 1);
    return twice_middle >= data.unit() && (twice_middle - data.unit()) * b >= target;
  };
  std::size_t low = 0, high = data.groups();
  if (data.total_mass() == data.groups()) {
    // no ties and no weights: rank = group
    return static_cast<std::size_t>((static_cast<u128>(j) * data.total_mass() + b - 1) / b);
  }
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (reached(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

std::vector<BinSums> width_bins(const Ordered& data, std::size_t b) {
  return collect(data, b, [&](std::size_t j) { return width_boundary(data, j, b); });
}

std::vector<BinSums> mass_bins(const Ordered& data, std::size_t b) {
  return collect(data, b, [&](std::size_t j) { return mass_boundary(data, j, b); });
}

std::vector<BinSums> width_bins(Reals score, std::span<const std::uint8_t> mark, std::span<const double> weight,
                                std::size_t b, int threads) {
  constexpr std::size_t few = 1000;
  if (weight.empty() && mark.size() > few && has_fast_width_bins(b)) return fast_width_bins(score, mark, b, threads);
  std::vector<BinSums> bins(b);
  const std::uint64_t unit = mass_unit(weight);
  score.visit([&](auto s) {
    for (std::size_t i = 0; i < s.size(); ++i) {
      const auto x = std::abs(static_cast<double>(s[i]));
      const std::uint64_t m = weight.empty() ? 1 : to_mass(weight[i], unit);
      auto& bin = bins[width_bin(x, b)];
      bin.mass += m;
      bin.hits += mark[i] ? m : 0;
      bin.score += static_cast<u128>(to_fixed(x)) * m;
    }
  });
  return bins;
}

std::vector<BinSums> mass_bins(Reals score, std::span<const std::uint8_t> mark, std::span<const double> weight,
                               std::size_t b, int threads) {
  constexpr std::size_t few = 50'000, many_bins = 1000;
  if (weight.empty() && mark.size() > few && b <= many_bins) {
    if (auto bins = select_mass_bins(score, mark, b, threads)) return *std::move(bins);
  }
  return mass_bins(order(score, mark, weight, threads), b);
}

}  // namespace tare::numeric
