// From arrays as files hold them to the types of the views. A matrix of the right type, order and alignment stays where
// it is (mapped); anything else is converted once. What has one number a row is copied: places in memory are computed
// from it, and what is mapped, or belongs to Python, may change after the checks. Of a matrix nothing is: kernels that
// compute a place from its numbers keep it in range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tare/core/result.hpp"
#include "tare/core/views.hpp"
#include "tare/read/array.hpp"

namespace tare::detail::read {

template <class T>
struct Column {
  std::span<const T> values;
  std::shared_ptr<const void> owner;
};

struct Matrix {
  Reals values;  // row-major
  std::size_t n = 0;
  std::size_t k = 0;
  std::shared_ptr<const void> owner;
  bool float16 = false;  // stored in 16 bits, so that rows of probabilities sum to 1 less exactly
};

// n numbers (k = 1) or n x k; float32 and float64 stay, float16 and bfloat16 become float32, integers float64.
Result<Matrix> to_matrix(const Array& array, int threads = 1);

// Whole numbers of any type that fit into 32 bits; words (DType::word) give their codes.
Result<Column<std::int32_t>> to_labels(const Array& array, int threads = 1);

// 0 and 1 of any type, or the words true and false.
Result<Column<std::uint8_t>> to_hits(const Array& array, int threads = 1);

Result<Column<double>> to_weights(const Array& array, int threads = 1);

// One value per row as a text, of the first rows: a word, or the shortest text of a number; empty where it is missing.
Result<std::vector<std::string>> texts_of(const Array& array, std::size_t most = static_cast<std::size_t>(-1));

}  // namespace tare::detail::read
