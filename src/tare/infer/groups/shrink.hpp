// Gaps of many groups, each drawn towards 0 by as much as its own rows leave open (empirical Bayes; Stephens 2017). The
// log-odds of a group are off by t. Its likelihood is exact. The prior is a point at 0 and normal distributions of six
// widths, whose shares all groups together decide (EM), with ten groups at 0 added so that a few cannot do away with
// it.
//
// An estimate, no decision: the prior is a model.
#pragma once

#include <span>
#include <vector>

#include "tare/numeric/random/poisson_binomial.hpp"

namespace tare::inner::infer {

struct CountedHits {
  const numeric::PoissonBinomial* expected = nullptr;  // of a few dozen probabilities: each is used 161 times
  double hits = 0;
};

// The mean of (expected hits less hits under t) / rows over what t may be, for each group.
std::vector<double> shrunken_gaps(std::span<const CountedHits> groups, int threads = 1);

}  // namespace tare::inner::infer
