// An error of norm 1 to which noise adds nothing. With r = label - score, and m the prediction of r from all other rows
// by polynomials in the rank of the score (rank_poly), E[r sign(m)] = d sign(m) <= |d|, where d = E[label | score] -
// score: so D_K = mean(r sign(m_K)) never exceeds the true mean gap in expectation (docs/methods/rank_sign.md). The
// degrees K = 1 .. min(16, n^0.4) are averaged with weights exp((D_K - e_K / 2) / (se / 2)), e_K the mean standard
// error of m_K, se = sqrt(mean r^2 / n); value = the average, 0 where it is negative. Norm 1 only.
#pragma once

#include "tare/measure/sample.hpp"
#include "tare/measure/spec.hpp"

namespace tare::detail::measure {

Result<Estimate> rank_sign(const Sample& sample, const Options& options = {});

extern const Estimator rank_sign_estimator;

}  // namespace tare::detail::measure
