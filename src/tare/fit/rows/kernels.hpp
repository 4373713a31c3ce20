// What rows.hpp does to one row, for many rows in vectors: the same operations in the same order, so the same bits
// (tests/fit/rows_test.cpp, tests/fit/columns_test.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "tare/core/recipe.hpp"
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

// ---- columns.cpp: rows of one column, and single numbers

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

// Curves of straight pieces.
struct Piece {
  double from, width;  // of the scores
  double low, high;    // the values where it begins and where it ends
};

// out[i]: of piece[place[i]] at score[i].
void on_pieces(const float* score, const std::uint32_t* place, std::size_t n, const Piece* piece, double* out);
void on_pieces(const double* score, const std::uint32_t* place, std::size_t n, const Piece* piece, double* out);

// Which of `parts` equal parts of the unit interval each score is in; 1 is in the last.
void find_parts(const float* score, std::size_t n, std::size_t parts, std::uint32_t* part);
void find_parts(const double* score, std::size_t n, std::size_t parts, std::uint32_t* part);

}  // namespace tare::detail::fit::rows
