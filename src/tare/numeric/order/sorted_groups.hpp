// Groups of equal scores in rows that are sorted already.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tare::detail::numeric {

struct SortedGroups {
  std::size_t count = 0;
  bool descends = false;  // some score was below its predecessor, and the groups are of no use
};

// For every group of equal scores: the score, and the rows and the marked rows up to its end. The arrays have room for
// n.
SortedGroups sorted_groups(const double* score, const std::uint8_t* mark, std::size_t n, double* group_score,
                           std::uint64_t* rows, std::uint64_t* marked);

}  // namespace tare::detail::numeric
