#include "tare/measure/rank_poly/surest_rows.hpp"

#include <algorithm>

namespace tare::inner::measure {

std::vector<Flip> surest_rows(const numeric::Ordered& data) {
  constexpr std::uint64_t rows = 2;
  std::vector<Flip> out;
  std::size_t above = data.groups(), miss = 0;  // the next hits are in the group before `above`
  for (std::uint64_t left = std::min(rows * data.unit(), data.total_mass()); left > 0;) {
    while (above > 0 && data.hits(above - 1) == 0) --above;
    while (miss < data.groups() && data.hits(miss) == data.mass(miss)) ++miss;
    const bool hit = above > 0 && (miss == data.groups() || 1 - data.score(above - 1) <= data.score(miss));
    const std::size_t g = hit ? --above : miss++;
    out.push_back({g, std::min(left, hit ? data.hits(g) : data.mass(g) - data.hits(g)), hit});
    left -= out.back().mass;
  }
  return out;
}

}  // namespace tare::inner::measure
