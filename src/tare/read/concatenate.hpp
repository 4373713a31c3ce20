// Rows of several files, one after the other.
#pragma once

#include <vector>

#include "tare/core/predictions.hpp"
#include "tare/read/array.hpp"

namespace tare::detail::read {

// Of one kind and one number of classes, or it is an error that names the file. One stays as it is.
Result<Predictions> concatenated(std::vector<Predictions> parts);

// The columns of groups of each part, as groupings of all rows.
Result<void> add_groups(Predictions& all, const std::vector<std::vector<Array>>& columns, int bins);

}  // namespace tare::detail::read
