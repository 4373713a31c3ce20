#include "tare/numeric/order/gather.hpp"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

namespace tare::inner::numeric {

Ordered gather(const Ordered& data, std::span<const std::size_t> cut) {
  assert(!cut.empty() && cut.back() <= data.groups());
  const std::size_t count = cut.size() - 1;
  std::vector<double> score(count);
  std::vector<std::uint64_t> mass(count), hits(count);
  u128 before = data.score_before(cut.front());
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t from = cut[c], to = cut[c + 1];
    const u128 after = data.score_before(to);
    mass[c] = data.mass_before(to) - data.mass_before(from);
    hits[c] = data.hits_before(to) - data.hits_before(from);
    const double mean = static_cast<double>(after - before) / (static_cast<double>(mass[c]) * score_scale);
    // The clamp keeps the mean among its scores, hence in its bin, whatever the rounding.
    score[c] = std::clamp(mean, data.score(from), data.score(to - 1));
    before = after;
  }
  return {std::move(score), mass, hits, data.unit()};
}

}  // namespace tare::inner::numeric
