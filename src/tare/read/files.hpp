// The files of one call: each is opened, mapped and unpacked once, however often it is asked for.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tare/read/source.hpp"

namespace tare::detail::read {

class Files {
 public:
  // Stays where it is as long as this object.
  Result<const Source*> open(const std::string& path, const Reading& reading);

  // The parts that a column of this file says its rows belong to (split_column.hpp); nothing where it has none.
  const std::optional<std::vector<std::string>>& parts_of(const Source& source);

  // Does the file hold predictions named val_* or test_*, or rows that a column of it says belong there?
  bool has_split(const std::string& path, const std::string& split, const Reading& reading);

 private:
  std::deque<std::pair<std::string, Result<Source>>> opened_;               // or why not: a pipe is read once
  std::map<const Source*, std::optional<std::vector<std::string>>> parts_;  // a pass over a table each
};

}  // namespace tare::detail::read
