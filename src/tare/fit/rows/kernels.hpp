// What rows.hpp does to one row, for many rows in vectors: the same operations in the same order, so the same bits
// (tests/fit/rows_test.cpp).
#pragma once

#include <cstddef>

#include "tare/fit/rows/rows.hpp"

namespace tare::detail::fit::rows {

// tempered() of n rows of k numbers.
void tempered_rows(const float* in, std::size_t n, std::size_t k, bool probabilities, double v, double* out);
void tempered_rows(const double* in, std::size_t n, std::size_t k, bool probabilities, double v, double* out);

void softmax_rows(double* rows, std::size_t n, std::size_t k);

// row_facts() of n rows.
void facts_of_rows(const float* in, std::size_t n, std::size_t k, bool logits, bool odds, RowFacts* out);
void facts_of_rows(const double* in, std::size_t n, std::size_t k, bool logits, bool odds, RowFacts* out);

// logit_features() of any number of rows, more than one column.
void features_of_logits(const float* in, std::size_t n, bool probabilities, double* out);
void features_of_logits(const double* in, std::size_t n, bool probabilities, double* out);

// affine() of a full matrix: w is transposed, feature by feature.
void affine_rows(const double* x, std::size_t n, std::size_t k, const double* w, const double* b, double* out);

}  // namespace tare::detail::fit::rows
