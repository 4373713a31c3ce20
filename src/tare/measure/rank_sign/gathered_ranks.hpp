// Places of a sample on which polynomials in rank are evaluated one by one: its groups of equal scores or, where there
// are more than `most`, runs of neighbours of about equal mass.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "tare/measure/rank_poly/rank_basis.hpp"
#include "tare/numeric/order/bins.hpp"
#include "tare/numeric/order/gather.hpp"

namespace tare::inner::measure {

template <std::size_t most>
class GatheredRanks {
 public:
  GatheredRanks(const numeric::Ordered& data, int threads) {
    if (data.groups() <= most) {
      basis_.emplace(data, threads, most);
      return;
    }
    for (std::size_t j = 0; j <= most; ++j) {
      const std::size_t at = numeric::boundary(data, numeric::Binning::mass, j, most);
      if (cut_.empty() || at > cut_.back()) cut_.push_back(at);
    }
    const numeric::Ordered gathered = of(data);
    basis_.emplace(gathered, threads, most);
  }

  [[nodiscard]] const RankBasis& basis() const { return *basis_; }
  [[nodiscard]] bool exact() const { return cut_.empty(); }  // every group is a place
  [[nodiscard]] std::size_t place_of(std::size_t group) const {
    if (exact()) return group;
    return static_cast<std::size_t>(std::upper_bound(cut_.begin(), cut_.end(), group) - cut_.begin()) - 1;
  }
  // The same data with one group per place, at the mean of its scores.
  [[nodiscard]] numeric::Ordered of(const numeric::Ordered& data) const { return numeric::gather(data, cut_); }

 private:
  std::vector<std::size_t> cut_;  // first groups of the places, and the number of groups; empty: every group is one
  std::optional<RankBasis> basis_;
};

}  // namespace tare::inner::measure
