#include "tare/gpu/order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tare/measure/estimators.hpp"
#include "tare/measure/sample.hpp"

namespace tare::detail::gpu {
namespace {

using numeric::BinSums;
using numeric::u128;

}  // namespace

Order::Query Order::boundary(Binning binning, std::size_t j, std::size_t b) const {
  if (binning == Binning::width) return {.edge = numeric::width_edge(j, b)};
  const std::uint64_t n = rows_;
  return {.rank = (n * j + b - 1) / b, .twice = 2 * n * j, .b = b, .by_mass = 1};
}

// From the b + 1 boundaries of b bins to their sums.
std::vector<BinSums> Order::between(const Found* found, std::size_t b) {
  std::vector<BinSums> out(b);
  const auto score = [](const Found& f) { return static_cast<u128>(f.score_high) << 64 | f.score_low; };
  for (std::size_t j = 0; j < b; ++j) {
    const Found &from = found[j], &to = found[j + 1];
    if (to.position == from.position) continue;
    out[j] = {to.position - from.position, to.hits - from.hits, score(to) - score(from),
              static_cast<double>(from.after), static_cast<double>(to.before)};
  }
  return out;
}

Result<std::vector<BinSums>> Order::bins(Binning binning, std::size_t b) const {
  return guarded([&]() -> Result<std::vector<BinSums>> {
    std::vector<Query> queries;
    queries.push_back({.edge = -1});
    for (std::size_t j = 1; j < b; ++j) queries.push_back(boundary(binning, j, b));
    queries.push_back({.edge = 2});
    return between(look_up(queries).data(), b);
  });
}

Result<std::vector<BinSums>> Order::sweep(Binning binning) const {
  constexpr std::size_t most_here = 4096;  // beyond, the rates rise for some other reason than luck
  std::size_t best = 0;                    // 0: none of those searched falls
  const auto searched = guarded([&]() -> Result<bool> {
    for (std::size_t first = 1, count = 32; first <= most_here && best == 0; first += count, count += count / 2) {
      const auto fall = falls(binning, first, count);
      for (std::size_t i = 0; i < count && best == 0; ++i)
        if (fall[i] != 0 || first + i > rows_) best = first + i - 1;
    }
    return true;
  });
  if (!searched) return searched.error();
  if (best > 0) return bins(binning, best);
  const auto ordered = groups();
  if (!ordered) return ordered.error();
  const measure::Sample sample(&*ordered);
  const auto swept =
      binning == Binning::width ? measure::sweep_ew(sample, {.norm = 1}) : measure::sweep_em(sample, {.norm = 1});
  if (!swept) return swept.error();
  const auto b = static_cast<std::size_t>(*swept->bins);
  return binning == Binning::width ? numeric::width_bins(*ordered, b) : numeric::mass_bins(*ordered, b);
}

Result<Estimate> estimate(const Order& order, const measure::Estimator& estimator, const measure::Options& options) {
  if (estimator.from_bins != nullptr && estimator.binning) {
    const auto b = measure::checked_bins(options);
    if (!b) return b.error();
    const auto sums = order.bins(*estimator.binning, *b);
    if (!sums) return sums.error();
    return estimator.from_bins(*sums, 1, options);
  }
  const auto ordered = order.groups();
  if (!ordered) return ordered.error();
  return estimator.run(measure::Sample(&*ordered), options);
}

}  // namespace tare::detail::gpu
