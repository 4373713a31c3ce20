// What readers of tables (csv.hpp, jsonl.hpp) share: which columns become which array, and where a reader stands.
#pragma once

#include <cstddef>
#include <vector>

namespace tare::detail::read {

// Columns that become one array: n numbers, n x k of them, or n texts.
struct CsvGroup {
  std::vector<std::size_t> columns;  // of the array, in its order
  bool words = false;                // one column of texts, whatever they look like: labels, groups
  bool may_miss = false;             // a cell may be empty: NaN, or the word -1
};

struct CellRules {
  bool missing = false;  // any cell may be empty, NA and the like
  bool percent = false;  // all numbers will be divided by 100, also those without a percent sign
};

// How a table in text is written, where that does not show.
struct TableRules {
  char delimiter = 0;  // 0: what separates the names of the first line
  bool header = true;  // false: the first line is data, and columns are named 0, 1, 2, ...
};

// Between two rows of a table: pieces begin and end there.
struct TablePlace {
  const char* at = nullptr;
  std::size_t line = 1;
};

}  // namespace tare::detail::read
