// The number of hits among independent rows, each with a probability of its own (Poisson-binomial), and the same with
// all log-odds shifted by t, which weights k hits by exp(t k).
//
// Variance below 200: the whole distribution, row by row; every sum is of positive terms, so tails keep their digits.
// Above, and in tails below 1e-20: the saddlepoint approximation with the lattice correction (Lugannani and Rice 1980,
// Daniels 1987), whose relative error falls with the variance.
//
// Probabilities within 2^-20 of 0 and 1 count as 2^-20 away: what a model calls impossible happens once in a million.
// By hand: Boost.Math does not have this distribution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tare::detail::numeric {

// Rows with a probability each, and their hits when all log-odds are shifted by t.
class ShiftedRows {
 public:
  static constexpr double least = 0x1p-20;

  // count[i] rows of probability p[i].
  ShiftedRows(std::span<const double> p, std::span<const std::uint64_t> count);

  [[nodiscard]] double rows() const { return rows_; }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double variance() const { return variance_; }
  [[nodiscard]] double skewness() const;
  [[nodiscard]] double fourth_cumulant() const { return fourth_; }

  [[nodiscard]] double log_moment(double t) const;  // log E exp(t X)
  [[nodiscard]] double mean(double t) const;
  [[nodiscard]] double variance(double t) const;
  // The shift whose mean is k, for 0 < k < rows().
  [[nodiscard]] double shift_to(double k) const;

 private:
  std::vector<double> p_, count_;
  double rows_ = 0, mean_ = 0, variance_ = 0, third_ = 0, fourth_ = 0;
};

class PoissonBinomial {
 public:
  static constexpr double table_variance = 200;

  PoissonBinomial(std::span<const double> p, std::span<const std::uint64_t> count)
      : PoissonBinomial(p, count, ShiftedRows(p, count)) {}
  // `few`: the same rows, with neighbouring probabilities taken together. It serves wherever the table does not.
  PoissonBinomial(std::span<const double> p, std::span<const std::uint64_t> count, ShiftedRows few);

  [[nodiscard]] const ShiftedRows& shifted() const { return few_; }

  // log P(X >= k) and log P(X <= k), all log-odds shifted by t.
  [[nodiscard]] double log_at_least(double k, double t = 0) const;
  [[nodiscard]] double log_at_most(double k, double t = 0) const;
  // log min(1, 2 min(P(X <= k), P(X >= k))): a valid p-value for any number of rows.
  [[nodiscard]] double log_two_sided(double k) const;

  // The shifts that k hits do not contradict at the level alpha, two-sided; infinite for no hits or nothing else.
  struct Shifts {
    double low = 0;
    double high = 0;
  };
  [[nodiscard]] Shifts shifts(double k, double alpha) const;

  // A draw from a uniform number, and the p-value of a draw on a scale that is the same for all draws: exact for a
  // table, from the normal distribution with a correction for skewness otherwise. For tests that redraw.
  [[nodiscard]] double draw(double uniform) const;
  [[nodiscard]] double quick_two_sided(double k) const;

 private:
  struct Saddle {  // where the mean of the shifted distribution is the bound
    double bound = 0, at = 0, log_moment = 0, variance = 0;
  };
  [[nodiscard]] Saddle saddle(double bound) const;
  // Of the values from the bound up, or down.
  [[nodiscard]] double log_tail(const Saddle& s, double t, bool upper) const;
  [[nodiscard]] double table_tail(double k, double t, bool upper) const;
  [[nodiscard]] bool in_table(double k) const;
  void make_table(std::span<const double> p, std::span<const std::uint64_t> count);

  ShiftedRows few_;
  std::vector<double> table_;  // of low_, low_ + 1, ...; empty: too wide
  std::vector<double> below_, above_;
  double low_ = 0;
};

}  // namespace tare::detail::numeric
