// Predictions from files, where a file may be a saved state: its name ends in .state.
#pragma once

#include "tare/core/predictions.hpp"
#include "tare/read/fold.hpp"
#include "tare/state/running.hpp"

namespace tare::inner::state {

bool names_a_state(const std::string& path);
Result<Running> read_state(const std::string& path);

// read::fold, or a state as predictions (sample.hpp).
Result<Predictions> fold(const read::Fold& names, int threads = 1);

}  // namespace tare::inner::state
