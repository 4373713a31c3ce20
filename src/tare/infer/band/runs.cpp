#include "tare/infer/band/runs.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace tare::detail::infer {
namespace {

constexpr std::size_t begins_per_length = 4;
constexpr std::size_t most_lengths = 7;  // the shortest run is a 64th of the rows

// The bound of a cell that is nearest to i / steps of the mass; of two that are equally near, the lower.
std::size_t nearest_bound(const numeric::Ordered& cells, std::size_t i, std::size_t steps) {
  const auto totals = cells.mass_totals();
  const auto distance = [&](std::size_t bound) {  // times `steps`
    const auto at = static_cast<numeric::u128>(totals[bound]) * steps,
               wanted = static_cast<numeric::u128>(cells.total_mass()) * i;
    return at > wanted ? at - wanted : wanted - at;
  };
  std::size_t low = 0, high = cells.groups();  // bounds
  while (low < high) {                         // the first bound at or above
    const std::size_t middle = low + (high - low) / 2;
    if (static_cast<numeric::u128>(totals[middle]) * steps < static_cast<numeric::u128>(cells.total_mass()) * i)
      low = middle + 1;
    else
      high = middle;
  }
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

}  // namespace tare::detail::infer
