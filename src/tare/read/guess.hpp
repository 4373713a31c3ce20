// Where no name says what a table holds: columns headed by the classes, and what to type.
#pragma once

#include <string>
#include <vector>

#include "tare/read/columns.hpp"

namespace tare::inner::read {

// The columns that are named after the classes: all from the first to the last one that is a label. None where a label
// is nobody's name.
Match columns_of_classes(const std::vector<std::string>& names, const std::vector<std::string>& labels,
                         std::size_t label_column);

// The options that would say it, if the labels are in this column and all others are for the classes.
std::string options_to_type(const std::vector<std::string>& names, std::size_t label_column);

}  // namespace tare::inner::read
