#include "tare/core/groups.hpp"

namespace tare::detail {

RowsByGroup rows_by_group(const Grouping& grouping) {
  RowsByGroup out{std::vector<std::size_t>(grouping.names.size() + 1),
                  std::vector<std::size_t>(grouping.of_row.size())};
  for (const std::uint32_t g : grouping.of_row) ++out.start[g + 1];
  for (std::size_t g = 1; g < out.start.size(); ++g) out.start[g] += out.start[g - 1];
  std::vector<std::size_t> next = out.start;
  for (std::size_t i = 0; i < grouping.of_row.size(); ++i) out.row[next[grouping.of_row[i]]++] = i;
  return out;
}

}  // namespace tare::detail
