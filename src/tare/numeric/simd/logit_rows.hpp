// What a search for a temperature asks of rows of logits, in vectors along the row.
#pragma once

#include <cstddef>
#include <span>

#include "tare/numeric/memory.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::detail::numeric {

struct RowMoments {
  double s0, s1, s2;  // sums of exp(v a), a exp(v a), a^2 exp(v a), where a = z - top
  double top;         // the largest logit
};
struct RowShape {
  double low, high, mean, variance;
};

// n rows of k numbers. float64 rows are summed in float64, whatever `sums` says.
void moments_of_rows(const float* rows, std::size_t n, std::size_t k, double v, RowSums sums, RowMoments* out);
void moments_of_rows(const double* rows, std::size_t n, std::size_t k, double v, RowSums sums, RowMoments* out);
void shapes_of_rows(const float* rows, std::size_t n, std::size_t k, RowShape* out);
void shapes_of_rows(const double* rows, std::size_t n, std::size_t k, RowShape* out);

// The logits of rows of probabilities, for a search that asks for them more than once.
LargeArray<double> logits_of(const LogitRows& rows, int threads = 1);

// In place.
void take_logarithms(std::span<double> x);

}  // namespace tare::detail::numeric
