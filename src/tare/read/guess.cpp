#include "tare/read/guess.hpp"

#include <algorithm>

#include "tare/read/columns.hpp"
#include "tare/read/sniff.hpp"

namespace tare::inner::read {

Result<Match> columns_of_classes(const Source& table, std::size_t label_column) {
  const auto& names = table.names();
  const auto labels = table.read(std::vector{CsvGroup{.columns = {label_column}, .words = true, .may_miss = true}});
  if (!labels) return labels.error();
  if (!labels->front().words) return Match{};
  Match out;
  const std::vector<Sniffed> columns = sniffed(table, 1);
  for (std::size_t i = 0; i < names.size() && i < columns.size(); ++i)
    if (i != label_column && !is_index_column(names[i]) && columns[i].numbers) out.members.push_back(i);
  for (const std::string& word : *labels->front().words) {
    const auto at = std::find(names.begin(), names.end(), word);
    const auto place = static_cast<std::size_t>(at - names.begin());
    if (std::find(out.members.begin(), out.members.end(), place) == out.members.end()) return Match{};
  }
  if (out.members.size() < 2) return Match{};
  for (const std::size_t i : out.members) out.class_names.push_back(names[i]);
  out.spelled = typed(names, out.members);
  return out;
}

}  // namespace tare::inner::read
