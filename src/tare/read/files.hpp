// The files of one call: each is opened, mapped and unpacked once, however often it is asked for.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tare/read/source.hpp"

namespace tare::detail::read {

class Files {
 public:
  // Stays where it is as long as this object.
  Result<const Source*> open(const std::string& path, const Reading& reading);

  // The parts that a column of this file says its rows belong to; nothing where it has none.
  const std::optional<std::vector<std::string>>& parts_of(const Source& source);

  // Does the file hold predictions named val_* or test_*, or rows that a column of it says belong there?
  bool has_split(const std::string& path, const std::string& split, const Reading& reading);

 private:
  std::deque<std::pair<std::string, Result<Source>>> opened_;               // or why not: a pipe is read once
  std::map<const Source*, std::optional<std::vector<std::string>>> parts_;  // a pass over a table each
};

// A column that says which part of the data each row belongs to, split, fold, set or the like, with train, val and
// test: by its name alone.
std::optional<std::size_t> split_column(const Source& source);

// "train", "val" or "test" for each way to write it; empty for anything else.
std::string_view part_named(std::string_view text);

// Its parts, in the order in which they first appear; nothing where a cell is something else.
std::optional<std::vector<std::string>> parts_of_column(const Source& source, std::size_t column);

}  // namespace tare::detail::read
