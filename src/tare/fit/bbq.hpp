// Bayesian binning into quantiles: an average over equal-mass binnings with different numbers of bins, weighted
// by how well each explains the labels. Naeini, Cooper & Hauskrecht 2015.
//
//   log Score(M) = sum over bins of log [ G(A) / G(n_b + A) * G(m_b + alpha) / G(alpha) * G(n_b - m_b + beta) / G(beta)
//   ]
//
// with alpha = A * middle, beta = A * (1 - middle) and a uniform prior over binnings; a bin predicts its posterior mean
// (m_b + alpha) / (n_b + A). The prior of a bin weighs A = 2 rows, as in the authors' program; the paper's text shares
// N' = 2 rows among the bins, A = 2 / B, which is an option and farther from the truth (docs/studies/bbq_prior.md).
//
// Small print of ours: the bins are those of ece_em (equal scores together); binnings that ties make equal are
// one binning; B is the number of bins that are not empty.
#pragma once

#include <cstdint>
#include <vector>

#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/spec.hpp"
#include "tare/fit/steps.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::fit {

struct BinCounts {
  std::size_t fewest = 1;
  std::size_t most = 1;
};

// From max(1, floor(N^(1/3) / C)) to min(ceil(N / 5), ceil(C N^(1/3))), C = 10.
BinCounts bbq_bins(std::uint64_t mass, std::uint64_t unit);

// A: how many rows the prior of one of so many bins weighs.
double bbq_prior(std::size_t bins, bool share_prior);

// Logarithm of the score of one binning, given the group after the last of each bin.
double bbq_log_score(const numeric::Ordered& data, const std::vector<std::size_t>& ends, bool share_prior = false);

Steps bbq_steps(const Problem& problem, bool share_prior = false);

extern const Calibrator bbq_calibrator;

}  // namespace tare::detail::fit
