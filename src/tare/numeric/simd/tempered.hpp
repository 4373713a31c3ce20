// Mean negative log-likelihood of softmax(v z) as a function of v = 1 / temperature, with its first two
// derivatives, in one pass over the rows. With a = z - max z of a row and S_m = sum_j a_j^m exp(v a_j):
// loss log S_0 - v a_y, slope S_1/S_0 - a_y, curvature S_2/S_0 - (S_1/S_0)^2 (Guo et al. 2017, section 4.2).
// Sums over rows are exact, so row order and threads change no bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tare/core/views.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/memory.hpp"

namespace tare::detail::numeric {

struct LogitRows {
  Reals values;  // n rows of k numbers; k = 1: the log-odds, the row (0, z)
  std::size_t k = 0;
  bool probabilities = false;  // the logits are the logarithms of the values
  std::span<const std::int32_t> label = {};
  std::span<const double> weight = {};  // empty: all ones
};

struct TemperedNll {
  double loss = 0;
  double slope = 0;
  double curvature = 0;
};
enum class RowSums { float32, float64 };  // float32 rows are off by some 1e-8, and twice as fast

// What a first look shows.
struct LogitSurvey {
  double largest = 0;       // largest |z|
  double range = 0;         // largest max z - min z of a row
  double slope = 0;         // at v = 0
  double curvature = 0;     // at v = 0
  TemperedNll at_one = {};  // at v = 1
  bool all_right = true;    // every label has the largest logit of its row, alone or tied
  double limit = 0;         // if so: the mean NLL as v grows, the mean log of the number tied
  double total_weight = 0;  // both in the same unit, which is not that of the weights
  double least_weight = 0;  // smallest weight that is not 0
};
LogitSurvey survey(const LogitRows& rows, RowSums sums = RowSums::float64, int threads = 1);

// The same without `at_one`; it fills `coarse`, which answers for rows whose range is at most 2^10.
inline constexpr double most_coarse_range = 0x1p10;
class CoarseRows;
LogitSurvey survey(const LogitRows& rows, CoarseRows& coarse, int threads = 1);

// `range` as the survey found it. RowSums::float32 needs float32 logits with a range below 1e15.
TemperedNll tempered_nll(const LogitRows& rows, double v, double range, RowSums sums, int threads = 1);

// The same for rows of weight 1 that come in parts, perhaps on several machines: any split gives the same bits. The
// range of logits is below 2^24: the sums hold 2^37 such rows.
struct TemperedPass {
  double v = 1;
  std::uint64_t rows = 0;
  i128 log_normaliser = 0, label = 0, mean = 0, variance = 0;  // sums over rows, as whole numbers
  double range = 0;
  bool all_right = true;  // as in LogitSurvey

  void add(const LogitRows& part, int threads = 1);
  void merge(const TemperedPass& other);
  [[nodiscard]] TemperedNll nll() const;
};

// ---- What a search asks of rows, in vectors along the row (logit_rows.cpp).

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

// Rows of k logits become rows of probabilities. Where wanted, one log sum exp per row.
void softmax_in_place(std::span<double> rows, std::size_t k, double* log_normaliser = nullptr);

}  // namespace tare::detail::numeric
