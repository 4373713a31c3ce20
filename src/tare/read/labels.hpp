// Labels as people write them, as class indices: numbers counted from 0 or from 1, names of classes, yes and no, rows
// of zeros with one 1.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tare/read/assemble.hpp"
#include "tare/read/convert.hpp"

namespace tare::detail::read {

// Of the rows of `m` (k = 1: labels are 0 and 1). `names` are those of its columns, or empty. What was decided on the
// way goes into `log`.
Result<Column<std::int32_t>> class_indices(const Parts& parts, const std::vector<std::string>& names, const Matrix& m,
                                           int threads, ReadLog& log);

// Hit = the predicted class is the label.
Result<Column<std::uint8_t>> equal_labels(const Array& predictions, const Array& labels, int threads, ReadLog& log);

// "cat,dog", or the lines of a file.
Result<std::vector<std::string>> given_class_names(const std::string& text);

template <class T>
Column<T> owned(std::vector<T> values) {
  auto kept = std::make_shared<const std::vector<T>>(std::move(values));
  return {*kept, kept};
}

}  // namespace tare::detail::read
