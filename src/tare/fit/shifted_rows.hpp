// Rows of log probabilities to which one number per class is added: q_i(c) = p_i(c) exp(b_c) / sum over classes. What
// the fits of prior_shift.hpp need of them, in one pass: the mean log normaliser, the mean q, and the mean q q^T.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/numeric/memory.hpp"

namespace tare::inner::fit {

class ShiftedRows {
 public:
  // With `labelled`, rows that give probability 0 to their own label are left out: no shift explains them.
  ShiftedRows(const MulticlassView& view, bool labelled, int threads);

  struct Moments {
    double value = 0;  // mean of ln sum_c p(c) exp(b_c)
    Eigen::VectorXd mean = {};
    Eigen::MatrixXd square = {};  // lower triangle; empty: not asked for
  };
  [[nodiscard]] Moments at(std::span<const double> b, bool with_square) const;

  [[nodiscard]] std::size_t classes() const { return k_; }
  [[nodiscard]] std::size_t rows() const { return order_.size(); }
  [[nodiscard]] double left_out() const { return left_out_; }  // weight of the rows that were
  [[nodiscard]] const std::vector<double>& label_shares() const { return label_shares_; }

 private:
  void choose_rows(bool labelled);
  void fill(std::size_t first, std::size_t count, double* out) const;
  void add(std::size_t first, std::span<double> rows, Moments& to, bool with_square) const;

  MulticlassView view_;
  int threads_;
  std::size_t k_, block_rows_;
  std::vector<std::size_t> order_;  // by content: another order of the input would change the last bits of sums
  std::vector<double> share_;       // weight / total, in this order
  std::vector<double> label_shares_;
  double left_out_ = 0;
  numeric::LargeArray<double> cache_ = {};  // all log probabilities, where they fit
};

}  // namespace tare::inner::fit
