// Columns headed by the classes, in a table whose names say nothing else.
#pragma once

#include "tare/read/source.hpp"

namespace tare::inner::read {

// The columns of numbers beside the labels, where every label is the name of one of them. None where a label is
// nobody's name. The header and the first row decide which, so that all parts of a table agree.
Result<Match> columns_of_classes(const Source& table, std::size_t label_column);

}  // namespace tare::inner::read
