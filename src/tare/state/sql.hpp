// The query that makes cells inside a database, so that rows need not leave it, and the table that it returns as a
// state. Scaling by powers of two, cutting off and adding whole numbers are exact everywhere: the cells are those of
// the rows, bit for bit.
#pragma once

#include <array>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tare/read/source.hpp"
#include "tare/state/running.hpp"

namespace tare::detail::state {

inline constexpr std::string_view dialects[] = {"spark", "duckdb", "bigquery", "postgres", "sqlite"};

struct SqlOptions {
  std::string score = {}, label = {}, table = {};  // as SQL has them
  std::vector<std::string> by = {};                // columns that part the rows into groups
  std::string dialect = std::string(dialects[0]);
  int bins = options::bins.usual;
  int step = options::sql_step.usual;  // cells are no finer than this
  bool each_score = false;             // a row of the answer for each of the scores
  Reduction reduction = Reduction::positive;
};
Result<std::string> cells_query(const SqlOptions& options);

// The columns of the answer, in its order, beside the groups.
inline constexpr std::string_view cell_columns[] = {
    read::cell_column, "tare_bin",  "tare_bad",   "tare_mass", "tare_hits", "tare_high", "tare_high_",
    "tare_low",        "tare_low_", "tare_first", "tare_last", "tare_step", "tare_bins", "tare_reduction"};
using CellTable = std::array<std::span<const double>, std::size(cell_columns)>;  // all of one length

// All rows together, in at most so many cells. Errors are about the table of this name.
Result<Running> state_of_cells(const CellTable& table, const std::string& name,
                               std::size_t most = options::cells.usual);

// Of a table that the query returned (read::Source::is_table_of_cells), all its groups together.
Result<Running> read_cells(const read::Source& table);

}  // namespace tare::detail::state
