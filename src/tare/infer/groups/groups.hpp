// Gaps of many groups, each drawn towards 0 by as much as its own rows leave open (empirical Bayes; Stephens 2017). The
// log-odds of a group are off by t. Its likelihood is exact. The prior is a point at 0 and normal distributions of six
// widths, whose shares all groups together decide (EM), with ten groups at 0 added so that a few cannot do away with
// it.
//
// An estimate, no decision: the prior is a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/progress.hpp"
#include "tare/numeric/random/poisson_binomial.hpp"

namespace tare::detail::infer {

struct CountedHits {
  const numeric::PoissonBinomial* expected = nullptr;  // of a few dozen probabilities: each is used 161 times
  double hits = 0;
};

// The mean of (expected hits less hits under t) / rows over what t may be, for each group.
std::vector<double> shrunken_gaps(std::span<const CountedHits> groups, int threads = 1);

// Are the scores right on average in every group? With R the hits of a group less those expected and V their variance:
//   level    (sum R)^2 / sum V                       all groups off in one direction
//   spread   sum (R^2 - V) / (V + 1)                 many groups off a little, in any direction
//   one      the smallest exact p-value              one group off a lot
// The largest of the three, as minus the logarithm of a tail probability, is compared with what it is when the hits of
// every group are redrawn from their exact distributions. The groups must not overlap.

struct EveryGroupOptions {
  std::size_t resamples = 999;
  std::uint64_t seed = 1;
  std::uint32_t stream = 0;
  int threads = 1;
};

double p_of_every_group(std::span<const CountedHits> groups, const EveryGroupOptions& options,
                        const Progress& progress = {});

// p-values of many questions, adjusted for their number: reject what is at most alpha.
//   holm                 the chance that any innocent one is rejected is at most alpha, however they depend (Holm 1979)
//   benjamini_hochberg   of those rejected, at most a share of alpha is innocent on average, if they are independent
//                        or move together (Benjamini and Hochberg 1995)
// From logarithms: evidence below 1e-308 keeps its order.

std::vector<double> holm(std::span<const double> log_p);
std::vector<double> benjamini_hochberg(std::span<const double> log_p);

}  // namespace tare::detail::infer
