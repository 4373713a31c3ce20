// Labels as people write them, as class indices: numbers counted from 0 or from 1, names of classes, yes and no, rows
// of zeros with one 1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tare/read/assemble.hpp"
#include "tare/read/convert.hpp"

namespace tare::inner::read {

// Of k columns (1: labels are 0 and 1). `names` are those of the columns, or empty. What was decided on the way goes
// into `notes`.
Result<Column<std::int32_t>> class_indices(const Parts& parts, const std::vector<std::string>& names, std::size_t k,
                                           int threads, std::vector<std::string>& notes);

// Hit = the predicted class is the label.
Result<Column<std::uint8_t>> equal_labels(const Array& predictions, const Array& labels, int threads);

// The names of the classes where they count 0, 1, 2, ...: they say nothing more than their places.
bool counts_from_zero(const std::vector<std::string>& names);

// "cat,dog", or the lines of a file.
Result<std::vector<std::string>> given_class_names(const std::string& text);

template <class T>
Column<T> owned(std::vector<T> values) {
  auto kept = std::make_shared<const std::vector<T>>(std::move(values));
  return {*kept, kept};
}

}  // namespace tare::inner::read
