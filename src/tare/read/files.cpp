#include "tare/read/files.hpp"

#include <algorithm>
#include <array>

#include "tare/core/lower.hpp"
#include "tare/read/pick.hpp"

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

std::optional<std::size_t> split_column(const Source& source) {
  constexpr std::array names = {"split", "fold", "set", "partition", "subset", "dataset_split", "data_split"};
  if (!source.is_table()) return std::nullopt;
  for (std::size_t i = 0; i < source.names().size(); ++i)
    if (std::find(names.begin(), names.end(), lower(source.names()[i])) != names.end()) return i;
  return std::nullopt;
}

std::string_view part_named(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"train", "train"}, {"training", "train"},  {"val", "val"},        {"valid", "val"}, {"validation", "val"},
      {"dev", "val"},     {"test", "test"},       {"testing", "test"},   {"eval", "test"}, {"holdout", "test"},
      {"calib", "val"},   {"calibration", "val"}, {"evaluation", "test"}};
  const std::string word = lower(std::string(text));
  for (const auto& [spelled, part] : known)
    if (spelled == word) return part;
  return {};
}

std::optional<std::vector<std::string>> parts_of_column(const Source& source, std::size_t column) {
  const auto read = source.read(std::vector{CsvGroup{.columns = {column}, .words = true, .may_miss = true}});
  if (!read || !read->front().words) return std::nullopt;
  std::vector<std::string> out;
  for (const std::string& word : *read->front().words) {
    const std::string part(part_named(word));
    if (part.empty()) return std::nullopt;
    if (std::find(out.begin(), out.end(), part) == out.end()) out.push_back(part);
  }
  return out;
}

}  // namespace tare::detail::read
