#include "tare/numeric/order/bins.hpp"

#include <algorithm>

#include "tare/numeric/order/bin_walk.hpp"

namespace tare::detail::numeric {
namespace {

std::vector<BinSums> collect(const Ordered& data, Binning binning, std::size_t b) {
  std::vector<BinSums> bins(b);
  u128 score_from = 0;
  for_each_bin(
      data, binning, b, [&](std::size_t j, GroupRange r) {  // empty bins cost nothing: there may be many more than rows
        const u128 score_to = data.score_before(r.to);
        bins[j] = {data.mass_before(r.to) - data.mass_before(r.from), data.hits_before(r.to) - data.hits_before(r.from),
                   score_to - score_from, data.score(r.from), data.score(r.to - 1)};
        score_from = score_to;
      });
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

// Group g lies at or after boundary j iff twice its middle rank times b is at least 2 n j.
template <class Whole>
static std::size_t mass_boundary(const Ordered& data, std::size_t j, std::size_t b, std::size_t from, std::size_t to) {
  const Whole n = data.total_mass();
  // Where every group so far has one unit of mass, the boundary is a rank; otherwise it is no later than that.
  const Whole rank = (n * j + b - 1) / b;
  std::size_t high = to;
  if (rank <= high) {
    high = static_cast<std::size_t>(rank);
    if (data.mass_before(high) == rank) return high;
  }
  const Whole target = 2 * n * j;
  return first_that(from, high, [&](std::size_t g) {
    return twice_middle_rank<Whole>(data.mass_before(g), data.mass_before(g + 1)) * b >= target;
  });
}

std::size_t boundary(const Ordered& data, Binning binning, std::size_t j, std::size_t b, std::size_t from,
                     std::size_t to) {
  if (j == 0) return 0;
  if (j >= b) return data.groups();
  to = std::min(to, data.groups());
  if (binning == Binning::width) {
    const double edge = width_edge(j, b);
    const auto s = data.scores();
    return first_that(from, to, [&](std::size_t g) { return s[g] > edge; });
  }
  return products_are_narrow(data, b) ? mass_boundary<std::uint64_t>(data, j, b, from, to)
                                      : mass_boundary<u128>(data, j, b, from, to);
}

std::vector<BinSums> width_bins(const Ordered& data, std::size_t b) { return collect(data, Binning::width, b); }
std::vector<BinSums> mass_bins(const Ordered& data, std::size_t b) { return collect(data, Binning::mass, b); }

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

}  // namespace tare::detail::numeric
