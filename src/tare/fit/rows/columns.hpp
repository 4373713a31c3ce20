// What rows.hpp does to rows of one column, and to single numbers, for many in vectors: the same operations in the same
// order, so the same bits (tests/fit/columns_test.cpp).
#pragma once

#include <cstddef>

#include "tare/core/recipe.hpp"
#include "tare/fit/rows/rows.hpp"

namespace tare::detail::fit::rows {

// Of n numbers, in place.
void take_log_of_odds(double* odds, std::size_t n);
void take_class_probabilities(double* log_p, std::size_t n);
void take_class_odds(double* log_p, std::size_t n);

// Of n probabilities.
void log_odds_rows(const float* p, std::size_t n, double* out);
void log_odds_rows(const double* p, std::size_t n, double* out);

// Of n log-odds. `out` may be where they are.
void sigma_rows(const float* z, std::size_t n, double* out);
void sigma_rows(const double* z, std::size_t n, double* out);
void sigmoid_rows(const float* z, std::size_t n, double a, double b, double* out);
void sigmoid_rows(const double* z, std::size_t n, double a, double b, double* out);
void beta_rows(const float* z, std::size_t n, double a, double b, double c, double* out);
void beta_rows(const double* z, std::size_t n, double a, double b, double c, double* out);

// softmax(W x + b) of the two features of one column: class 1 of it. Where only the log-odds have a weight, it is
// w[0][0], and b[0] is added to them.
using ColumnFeatures = Recipe::Features;
struct ColumnMap {
  ColumnFeatures features = ColumnFeatures::logits;
  bool difference = false;
  double w[2][2] = {{1, 0}, {0, 1}}, b[2] = {0, 0};

  explicit ColumnMap(const Recipe::Affine& map);
};
void affine_column(const float* in, std::size_t n, bool probabilities, const ColumnMap& map, double* out);
void affine_column(const double* in, std::size_t n, bool probabilities, const ColumnMap& map, double* out);

}  // namespace tare::detail::fit::rows
