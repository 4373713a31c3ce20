// Predictions from files, where a file may be a saved state, whose name ends in .state, or a table of cells (sql.hpp).
#pragma once

#include "tare/core/predictions.hpp"
#include "tare/read/fold.hpp"
#include "tare/state/running.hpp"

namespace tare::inner::state {

bool names_a_state(const std::string& path);
Result<Running> read_state(const std::string& path);
// A table that the query of `tare sql` returned; nothing if the file is something else.
std::optional<Result<Running>> read_table_of_cells(const std::string& path);

// read::fold, or a state as predictions (sample.hpp). What would take more than half of the machine's memory, or than
// TARE_MEMORY bytes, goes through a state, and its note says so.
Result<Predictions> fold(const read::Fold& names, int threads = 1);

}  // namespace tare::inner::state
