#include "tare/read/files.hpp"

#include <algorithm>

#include "tare/read/pick.hpp"
#include "tare/read/split_column.hpp"

namespace tare::detail::read {

Result<const Source*> Files::open(const std::string& path, const Reading& reading) {
  auto at = std::find_if(opened_.begin(), opened_.end(), [&](const auto& one) { return one.first == path; });
  if (at == opened_.end()) at = opened_.emplace(opened_.end(), path, Source::open(path, reading));
  if (!at->second) return at->second.error();
  return &*at->second;
}

const std::optional<std::vector<std::string>>& Files::parts_of(const Source& source) {
  const auto [at, fresh] = parts_.try_emplace(&source);
  const auto column = fresh ? split_column(source) : std::nullopt;
  if (column) at->second = parts_of_column(source, *column);
  return at->second;
}

bool Files::has_split(const std::string& path, const std::string& split, const Reading& reading) {
  const auto opened = open(path, reading);
  if (!opened) return false;
  const Source& source = **opened;
  if (std::any_of(mains.begin(), mains.end(),
                  [&](Role r) { return plays(source.names(), r, split + "_", source.is_table()); }))
    return true;
  const auto& parts = parts_of(source);
  return parts && std::find(parts->begin(), parts->end(), split) != parts->end();
}

}  // namespace tare::detail::read
