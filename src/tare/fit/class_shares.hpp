// The shares of the classes among rows without labels. With the shares `prior` that the probabilities p_i were made
// for, the likelihood of other shares x is the product over rows of sum_c x_c / prior_c p_i(c): concave in x.
// Saerens, Latinne and Decaestecker 2002 climb it by EM, x_c <- mean q_i(c) with q_i(c) ~ x_c / prior_c p_i(c). Here
//   minimise  sum_c x_c - mean_i ln sum_c x_c / prior_c p_i(c)  over x_c >= a millionth of prior_c,
// which has the same optimum (the shares then sum to 1 by themselves, or up to those at the bound). Newton's method up
// to 2000 classes: with x' = x (1 + e) its step is mean(q q^T) e = mean(q) - x, and EM's is diag(x) e = mean(q) - x.
// EM, with longer steps as long as they help, above, and where a step of Newton's does not help.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/numeric/memory.hpp"

namespace tare::detail::fit {

// Rows of log probabilities to which one number per class is added: q_i(c) = p_i(c) exp(b_c) / sum over classes. What
// the fits of prior_shift.hpp need of them, in one pass: the mean log normaliser, the mean q, and the mean q q^T.

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

inline constexpr double least_ratio = 1e-6;  // of a share to what it was before

struct ClassShares {
  std::vector<double> share = {};  // they sum to 1
  std::vector<double> log_ratio = {};
  std::vector<std::size_t> at_bound = {};
  // Proof of the optimum: no other shares have a mean log-likelihood that is larger by more than twice this.
  double gap = 0;
  int iterations = 0;
};

ClassShares class_shares(const ShiftedRows& rows, std::span<const double> prior, int max_iterations);

}  // namespace tare::detail::fit
