// Common strata of two periods, from their scores alone: one for each score if there are at most 128 different ones;
// else of equal mass of today, equal scores together, joined until both periods have 8 rows in each.
#pragma once

#include <cstddef>
#include <vector>

#include "tare/watch/period.hpp"

namespace tare::inner::watch {

inline constexpr std::size_t most_strata = 128;

struct Side {  // a period in a stratum
  double rows = 0, hits = 0;
  double score = 0;  // sum
  [[nodiscard]] double mean() const { return score / (rows > 1 ? rows : 1); }
};

struct Stratum {
  Side before, today;
  void join(const Stratum& other);
};

std::vector<Stratum> strata(const Period& before, const Period& today);

}  // namespace tare::inner::watch
