// What looks wrong about predictions that can be read, and what to do about those that cannot.
#pragma once

#include <span>

#include "tare/core/predictions.hpp"
#include "tare/read/convert.hpp"
#include "tare/read/read_log.hpp"

namespace tare::inner::read {

// Looks at some of these labelled rows, and remembers what notes_of says about them.
void look_at(const MulticlassView& view, ReadLog& log);
void look_at(const BinaryView& view, ReadLog& log);

// A better remedy where the numbers explain the error: percentages, labels counted from 1, sums that are not 1.
void explain(Error& error, const Matrix& m, Kind kind, std::span<const std::int32_t> labels);

}  // namespace tare::inner::read
