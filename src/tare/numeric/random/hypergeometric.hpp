// Random hits among rows that are drawn without putting them back: a table of the distribution, for many drawings.
// By hand: Boost.Math has the distribution, and no drawings from it.
#pragma once

#include <cstdint>
#include <vector>

namespace tare::detail::numeric {

class Hypergeometric {
 public:
  // `drawn` of `rows`, of which `hits` are hits. At most 2^41 rows: the table has about 20 standard deviations.
  Hypergeometric(std::uint64_t rows, std::uint64_t hits, std::uint64_t drawn);

  // The hits that belong to a uniform number in (0, 1).
  [[nodiscard]] std::uint64_t at(double uniform) const;

 private:
  std::uint64_t low_ = 0;
  std::vector<double> up_to_;  // probability of low_ .. low_ + i
};

}  // namespace tare::detail::numeric
