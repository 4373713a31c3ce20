// Bayesian binning into quantiles: an average over equal-mass binnings with different numbers of bins, weighted
// by how well each explains the labels. Naeini, Cooper & Hauskrecht 2015.
//
//   log Score(M) = sum over bins of log [ G(N'/B) / G(N_b + N'/B) * G(m_b + alpha) / G(alpha) * G(n_b + beta) / G(beta)
//   ] alpha = N'/B * middle, beta = N'/B * (1 - middle), N' = 2, uniform prior over binnings; a bin predicts its
//   posterior mean (m_b + alpha) / (N_b + N'/B).
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

namespace tare::inner::fit {

struct BinCounts {
  std::size_t fewest = 1;
  std::size_t most = 1;
};

// From max(1, floor(N^(1/3) / C)) to min(ceil(N / 5), ceil(C N^(1/3))), C = 10.
BinCounts bbq_bins(std::uint64_t mass, std::uint64_t unit);

// Logarithm of the score of one binning, given the group after the last of each bin.
double bbq_log_score(const numeric::Ordered& data, const std::vector<std::size_t>& ends);

Steps bbq_steps(const Problem& problem);

Result<std::unique_ptr<Map>> load_bbq(const Model& model);
Result<Model> bbq(const MulticlassView& view, const Options& options = {});

extern const Calibrator bbq_calibrator;

}  // namespace tare::inner::fit
