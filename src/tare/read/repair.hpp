// What reading does to the numbers themselves: percentages, logits of -inf, rows that were rounded, and one class
// against the rest. Each repair is a function of its row alone, so that no split of the data changes it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tare/read/assemble.hpp"
#include "tare/read/convert.hpp"

namespace tare::detail::read {

// What was asked for: percentages, rows divided by their sums; and -inf among logits. Copied only where something has
// to change.
Result<Matrix> repaired(Matrix m, const Array& from, Kind kind, const Reading& reading, ReadLog& log);

// Probabilities that the views refuse, where rounding explains it: numbers outside [0, 1] by at most 1e-5, and rows
// whose sums are further from 1 than `tolerance`, but no further than their decimals explain.
Matrix unrounded(const Matrix& m, const Array& from, double tolerance, ReadLog& log);

// exp of log-probabilities; of at most 1e-5 above 0.
Result<Array> exponentials(const Array& from);
// Rows of log-probabilities are logits: the softmax gives the probabilities back.
Result<void> check_log_probs(const Array& from, ReadLog& log);

// The probability or the log-odds of one class against all others: n numbers.
Matrix one_class(const Matrix& m, Kind kind, std::size_t column);

template <class T>
double row_sum(std::span<const T> row) {
  double sum = 0;
  for (const T p : row) sum += static_cast<double>(p);
  return sum;
}

}  // namespace tare::detail::read
