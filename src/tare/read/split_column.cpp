#include "tare/read/split_column.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "tare/core/lower.hpp"

namespace tare::detail::read {

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
