// Predictions from a data set, which may be a saved state, whose name ends in .state, or a table of cells (sql.hpp).
#pragma once

#include "tare/core/predictions.hpp"
#include "tare/read/dataset.hpp"
#include "tare/state/running.hpp"

namespace tare::detail::state {

bool names_a_state(const std::string& path);
Result<Running> read_state(const std::string& path);

// The state that the data set is, where it is one or a table of cells; nothing where it holds rows.
std::optional<Result<Running>> state_in(const read::Dataset& data);

// All rows, or the state as predictions (sample.hpp). What would take more than half of the machine's memory, or than
// TARE_MEMORY bytes, goes through a state, and its note says so.
Result<Predictions> load(const read::Dataset& data, int threads = 1);

}  // namespace tare::detail::state
