// The shares of the classes among rows without labels. With the shares `prior` that the probabilities p_i were made
// for, the likelihood of other shares x is the product over rows of sum_c x_c / prior_c p_i(c): concave in x.
// Saerens, Latinne and Decaestecker 2002 climb it by EM, x_c <- mean q_i(c) with q_i(c) ~ x_c / prior_c p_i(c). Here
//   minimise  sum_c x_c - mean_i ln sum_c x_c / prior_c p_i(c)  over x_c >= a millionth of prior_c,
// which has the same optimum (the shares then sum to 1 by themselves, or up to those at the bound). Newton's method up
// to 2000 classes: with x' = x (1 + e) its step is mean(q q^T) e = mean(q) - x, and EM's is diag(x) e = mean(q) - x.
// EM, with longer steps as long as they help, above, and where a step of Newton's does not help.
#pragma once

#include <vector>

#include "tare/fit/shifted_rows.hpp"

namespace tare::inner::fit {

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

}  // namespace tare::inner::fit
