// Leave-one-out estimate of the true squared calibration error. With r = label - score and m the prediction of r from
// all other rows by polynomials in the rank of the score, D = mean(r m) has expectation 0 for a calibrated model, for
// every n, and mean(d^2) where d = E[label | score] - score is such a polynomial (docs/methods/rank_poly.md).
// K terms, K <= min(16, n^0.4), or min(64, n^0.4) where bins show a rougher curve than 16 terms can, are chosen by the
// largest D_K - sqrt(K N_K); value = sqrt(D (1 + L / (4 (D^2 + L)))), 0 where D <= 0. N and L are the variances of D
// where d is zero and where it is not. Norm 2 only.
#pragma once

#include <string>
#include <vector>

#include "tare/measure/rank_poly/certain_rows.hpp"
#include "tare/measure/rank_poly/rank_path.hpp"
#include "tare/measure/sample.hpp"
#include "tare/measure/spec.hpp"

namespace tare::inner::measure {

// For K = 1, 2, ..., 16 at most; of more than one row.
std::vector<RankTerms> rank_poly_path(const Sample& sample);

// z = max_K (D_K / sqrt(N_K) - sqrt(K)), a statistic for perfect calibration, with the N_K of labels that vary by
// score (1 - score). The residuals would say too much where misses are few: a handful makes D and its noise at once.
Result<double> rank_poly_z(const Sample& sample);

// spread: of `squared`, with se_null = sqrt(N) and per_square as above; widest: the same at the highest K, for an
// interval that also allows for what the chosen degree cannot see. parts: these numbers, the degree of the chosen
// polynomials, K - 1, se = sqrt(L) and z.
Result<Estimate> rank_poly(const Sample& sample, const Options& options = {});

// What 16 terms at most say about the error of norm 2.
struct RankInterval {
  bool clear = false;       // the squared error is above its noise by more than the skew of the interval
  double high = 1;          // end of the 95% interval
  double flipped_high = 1;  // the same, had two of the surest labels gone the other way
  std::string note = {};    // where bins show a rougher curve: a warning, and
  double rough_high = 0;    // the end that allows for it
  double rough_factor = 1;  // where they may: by how much the end grows to allow for it
  PartEnds ends = {};       // all of this taken together
};
RankInterval rank_poly_interval(const Sample& sample);

extern const Estimator rank_poly_estimator;

}  // namespace tare::inner::measure
