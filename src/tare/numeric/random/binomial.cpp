#include "tare/numeric/random/binomial.hpp"

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
#include <cassert>
#include <limits>

#include "tare/numeric/random/rng.hpp"

namespace tare::detail::numeric {
namespace {

constexpr double largest_table_variance = 4096;  // 1300 lines, 13 KB
constexpr double largest_of_few_draws = 128;     // where making one costs as much as forty draws by rejection
constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();

// Probabilities relative to that of the mode, from the first to the last value worth keeping.
struct Central {
  std::uint64_t low = 0;
  std::vector<double> relative;
};

// Each value from its neighbour: P(k+1) / P(k) = (n-k)/(k+1) * p/(1-p). No gamma function, and no
// loss for p near 0.
Central central(std::uint64_t n, double p) {
  constexpr double negligible = 0x1p-70;
  const double odds = p / (1 - p), size = static_cast<double>(n);
  const auto mode = std::min(n, static_cast<std::uint64_t>((size + 1) * p));
  Central out;
  double value = 1;
  for (std::uint64_t k = mode; value > negligible;) {
    out.relative.push_back(value);
    if (k == 0) break;
    value *= static_cast<double>(k) / ((size - static_cast<double>(k) + 1) * odds);
    --k;
  }
  out.low = mode + 1 - out.relative.size();
  std::reverse(out.relative.begin(), out.relative.end());
  value = 1;
  for (std::uint64_t k = mode; k < n; ++k) {
    value *= (size - static_cast<double>(k)) / static_cast<double>(k + 1) * odds;
    if (!(value > negligible)) break;
    out.relative.push_back(value);
  }
  return out;
}

}  // namespace

void Binomials::add(std::uint64_t n, double p) {
  assert(p >= 0 && p <= 1);
  Entry entry{.n = n, .p = p};
  const double largest = draws_ == Draws::many ? largest_table_variance : largest_of_few_draws;
  if (static_cast<double>(n) * p * (1 - p) <= largest) add_table(entry);
  entries_.push_back(entry);
}

void Binomials::add_table(Entry& entry) {
  Central c;
  if (entry.p == 0 || entry.p == 1)
    c = {entry.p == 0 ? 0 : entry.n, {1.0}};
  else
    c = central(entry.n, entry.p);
  double total = 0;
  for (const double x : c.relative) total += x;
  entry.low = c.low;
  entry.table = tables_.size();
  entry.guide = guides_.size();
  entry.shift = 63;
  double below = 0;
  for (const double x : c.relative) {
    below += x;
    const double words = below / total * 0x1p64;
    tables_.push_back(words >= 0x1p64 ? all_ones : static_cast<std::uint64_t>(std::max(words, 1.0)) - 1);
  }
  tables_.back() = all_ones;
  while (entry.shift > 48 && (std::size_t{1} << (64 - entry.shift)) < c.relative.size()) --entry.shift;
  std::size_t k = 0;
  for (std::uint64_t g = 0; g < std::uint64_t{1} << (64 - entry.shift); ++g) {
    while (tables_[entry.table + k] < g << entry.shift) ++k;
    guides_.push_back(static_cast<std::uint16_t>(k));
  }
}

inline std::uint64_t Binomials::pick(const Entry& entry, std::uint64_t word) const {
  std::size_t k = guides_[entry.guide + (word >> entry.shift)];
  const std::uint64_t* line = tables_.data() + entry.table;
  while (word > line[k]) ++k;
  return entry.low + k;
}

void Binomials::draw(std::uint64_t seed, std::uint32_t stream, std::uint32_t first, std::size_t replicates,
                     std::span<std::uint64_t> out) const {
  assert(out.size() >= replicates * size());
  constexpr std::size_t together = 2 * blocks_at_once;  // distributions; a block serves two
  std::vector<std::uint64_t> words(replicates * together);
  // Distributions outside, replicates inside: a table is fetched once for all of them.
  for (std::size_t i = 0; i < size(); ++i) {
    const Entry& entry = entries_[i];
    if (i % together == 0)
      for (std::size_t r = 0; r < replicates; ++r) {
        std::uint64_t* const low = words.data() + r * together;
        random_blocks(seed, stream, first + static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(i / 2), low,
                      low + blocks_at_once);
      }
    if (entry.shift != 0) {
      const std::uint64_t* const word = words.data() + i % together / 2 + (i % 2 == 0 ? 0 : blocks_at_once);
      for (std::size_t r = 0; r < replicates; ++r) out[r * size() + i] = pick(entry, word[r * together]);
      continue;
    }
    const boost::random::binomial_distribution<std::int64_t> rejection(static_cast<std::int64_t>(entry.n), entry.p);
    for (std::size_t r = 0; r < replicates; ++r) {
      Rng own(seed, stream, first + static_cast<std::uint32_t>(r), (i + 1) << 32);  // far from every block above
      out[r * size() + i] = static_cast<std::uint64_t>(rejection(own));
    }
  }
}

}  // namespace tare::detail::numeric
