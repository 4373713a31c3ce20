// Rows with missing values: NaN, or a cell that is empty.
#pragma once

#include "tare/read/assemble.hpp"

namespace tare::inner::read {

// Leaves them out of every array, and counts them.
Result<void> drop_missing(Parts& parts);

}  // namespace tare::inner::read
