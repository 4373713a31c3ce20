#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "tare/infer/band/curve_band.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/special.hpp"

namespace tare::detail::infer {
namespace {

constexpr std::size_t begins_per_length = 4;
constexpr std::size_t most_lengths = 7;  // the shortest run is a 64th of the rows

// The bound of a cell that is nearest to i / steps of the mass; of two that are equally near, the lower.
std::size_t nearest_bound(const numeric::Ordered& cells, std::size_t i, std::size_t steps) {
  const auto totals = cells.mass_totals();
  const auto wanted = static_cast<numeric::u128>(cells.total_mass()) * i;
  const auto at = [&](std::size_t bound) { return static_cast<numeric::u128>(totals[bound]) * steps; };
  const auto distance = [&](std::size_t bound) { return at(bound) > wanted ? at(bound) - wanted : wanted - at(bound); };
  const std::size_t low =
      numeric::first_that(0, cells.groups(), [&](std::size_t bound) { return at(bound) >= wanted; });
  return low > 0 && distance(low - 1) <= distance(low) ? low - 1 : low;
}

// The bounds at every quarter of the length, which is 1 / parts of the rows.
std::vector<std::size_t> bounds_of(const numeric::Ordered& cells, std::size_t parts) {
  const std::size_t steps = parts * begins_per_length;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i <= steps; ++i) out.push_back(nearest_bound(cells, i, steps));
  return out;
}

// Calls body(bounds) for every length, from the longest.
template <class Body>
void for_each_length(const numeric::Ordered& cells, std::size_t least, const Body& body) {
  const std::uint64_t rows = cells.total_mass() / cells.unit();
  for (std::size_t k = 0, parts = 1; k < most_lengths && (k == 0 || rows / parts >= least); ++k, parts *= 2)
    body(bounds_of(cells, parts));
}

template <class Item>
void share_equally(std::vector<std::vector<Item>>& lengths, std::vector<Item>& out) {
  std::erase_if(lengths, [](const auto& l) { return l.empty(); });
  for (auto& length : lengths)
    for (Item& item : length) {
      item.share = 1 / static_cast<double>(lengths.size() * length.size());
      out.push_back(item);
    }
}

double log_choose(double n, double k) {
  return numeric::log_gamma(n + 1) - numeric::log_gamma(k + 1) - numeric::log_gamma(n - k + 1);
}

}  // namespace

std::vector<Run> make_runs(const numeric::Ordered& cells, std::size_t least) {
  std::vector<std::vector<Run>> lengths;
  std::set<std::pair<std::size_t, std::size_t>> known;
  for_each_length(cells, least, [&](const std::vector<std::size_t>& bound) {
    auto& length = lengths.emplace_back();
    for (std::size_t i = 0; i + begins_per_length < bound.size(); ++i) {
      const std::size_t from = bound[i], to = bound[i + begins_per_length];
      if (from < to && known.emplace(from, to).second) length.push_back({from, to});
    }
  });
  std::vector<Run> out;
  share_equally(lengths, out);
  return out;
}

std::vector<RunPair> make_pairs(const numeric::Ordered& cells, std::size_t least) {
  std::vector<std::vector<RunPair>> lengths;
  std::set<std::tuple<std::size_t, std::size_t, std::size_t>> known;
  for_each_length(cells, least, [&](const std::vector<std::size_t>& bound) {
    auto& length = lengths.emplace_back();
    for (std::size_t i = 0; i + 2 * begins_per_length < bound.size(); ++i) {
      const std::size_t from = bound[i], middle = bound[i + begins_per_length], to = bound[i + 2 * begins_per_length];
      if (from < middle && middle < to && known.emplace(from, middle, to).second) length.push_back({from, middle, to});
    }
  });
  std::vector<RunPair> out;
  share_equally(lengths, out);
  return out;
}

double lower_bound(Counts seen, double level) {
  if (seen.hits == 0) return 0;
  const auto h = static_cast<double>(seen.hits), n = static_cast<double>(seen.rows);
  return std::clamp(numeric::quick::ibeta_inv(h, n - h + 1, level), 0.0, h / n);
}

double upper_bound(Counts seen, double level) { return 1 - lower_bound({seen.rows - seen.hits, seen.rows}, level); }

double fall_p_value(Counts first, Counts second) {
  const auto a = static_cast<double>(first.rows), b = static_cast<double>(second.rows),
             hits = static_cast<double>(first.hits + second.hits);
  auto x = static_cast<double>(first.hits);
  if (x <= std::max(0.0, hits - b)) return 1;  // it cannot be less: the sum is over all there is
  const double most = std::min(a, hits);
  double term = std::exp(log_choose(a, x) + log_choose(b, hits - x) - log_choose(a + b, hits)), sum = term;
  for (int i = 0; x < most; ++i, ++x) {
    const double ratio = (hits - x) * (a - x) / ((x + 1) * (b - hits + x + 1));
    // The ratios fall: from here on the terms are no larger than those of a geometric series.
    if (ratio < 1 && (i >= 1'000'000 || term * ratio < 1e-17 * sum * (1 - ratio)))
      return std::min(sum + term * ratio / (1 - ratio), 1.0);
    if (i >= 1'000'000) return 1;
    term *= ratio;
    sum += term;
  }
  return std::min(sum, 1.0);
}

}  // namespace tare::detail::infer
