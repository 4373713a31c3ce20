// The query that makes cells inside a database, so that rows need not leave it, and the table that it returns as a
// state. Scaling by powers of two, cutting off and adding whole numbers are exact everywhere: the cells are those of
// the rows, bit for bit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tare/read/source.hpp"
#include "tare/state/running.hpp"

namespace tare::inner::state {

inline constexpr std::string_view dialects[] = {"spark", "duckdb", "bigquery", "postgres", "sqlite"};

namespace options {
inline constexpr Option<int> sql_step{"step", "fineness of the cells", 16, last_step, 24};
}  // namespace options

struct SqlOptions {
  std::string score = {}, label = {}, table = {};  // as SQL has them
  std::vector<std::string> by = {};                // columns that part the rows into groups
  std::string dialect = std::string(dialects[0]);
  int bins = options::bins.usual;
  int step = options::sql_step.usual;  // cells are no finer than this
  Reduction reduction = Reduction::positive;
};
Result<std::string> cells_query(const SqlOptions& options);

// Is this a table that the query returned?
bool is_table_of_cells(const read::Source& table);
// All its groups together.
Result<Running> read_cells(const read::Source& table);

}  // namespace tare::inner::state
