// One test for many ways of being wrong. Five parts look at what labels exceed their scores by, each in directions of
// known variance (smooth_basis.hpp):
//   level   Z_0^2                       too high or too low on average             1 degree of freedom, weight 3/9
//   tilt    Z_1^2                       too extreme or too timid                   1, 2/9
//   shape   Z_2^2 + ... + Z_{K-1}^2     a bent curve                               K - 2, 2/9
//   tail    W_0^2 + W_1^2 + W_2^2       polynomials in rank: the surest rows       3, 1/9
//   place   max (sum r)^2 / (sum v)     over 16 cells of equal information and the 15 unions of neighbours, 1/9
// Each becomes a tail probability p_j of chi-square, and T = max_j (log w_j - log p_j). Chi-square is only a scale on
// which the parts can be compared: the p-value is the rank of T among redrawings (docs/methods/smooth_test.md).
// Parts that do not exist, as the tilt of a single score, are left out.
#pragma once

#include <optional>
#include <vector>

#include "tare/infer/tests/statistic.hpp"

namespace tare::detail::infer {

Result<double> smooth_test(const measure::Sample& sample);
Result<TestEvidence> smooth_evidence(const measure::Sample& sample);

// What the labels say for sure where the test rejects: the part with statistic x^2 and critical value c^2 allows true
// gaps d only with |sum d f| >= x - c, f its directions, and that bounds their mean size from below. Labels that
// scatter more than v says (a rate far from a score near 1) make the bound smaller by as much.
struct LeastError {
  double mean = 0;         // mean gap
  double square = 0;       // root mean square gap
  double level_limit = 0;  // how many standard deviations the level may be away from 0 without a rejection
};
// `critical`: the test rejects where its statistic is larger. Some bound is positive exactly there.
LeastError least_error(const measure::Sample& sample, double critical);

// -log of the probability that chi-square with k degrees of freedom exceeds x; finite for every x.
double minus_log_tail(double x, double k);
// The same of the largest square over `cells` neighbouring cells and unions of two.
double minus_log_of_largest(double square, std::size_t cells);

extern const Test smooth_test_row;

}  // namespace tare::detail::infer
