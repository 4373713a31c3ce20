// What reading does to the numbers themselves: percentages, logits of -inf, rows that were rounded, and one class
// against the rest.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tare/read/assemble.hpp"
#include "tare/read/convert.hpp"

namespace tare::inner::read {

// The matrix as the views take it, copied only where something has to change. `tolerance`: how far from 1 the sums of
// its rows may be without being touched. What was done goes into `notes`.
Result<Matrix> repaired(Matrix m, const Array& from, Kind kind, const Reading& reading, double tolerance,
                        std::vector<std::string>& notes);

// The probability or the log-odds of one class against all others: n numbers.
Matrix one_class(const Matrix& m, Kind kind, std::size_t column);

template <class T>
double row_sum(std::span<const T> row) {
  double sum = 0;
  for (const T p : row) sum += static_cast<double>(p);
  return sum;
}

}  // namespace tare::inner::read
