// Calibration curves by maximum likelihood: the twelve generalised linear models of Roelofs et al. 2022, Table 3, and
// the identity, compared by AIC = 2 k + 2 nll on the same rows.
//
// Which rows: all of them. Of a saturated row (beta_scores.hpp) only that is known, and its rate of misses under a
// curve is the mean over where the fitted Beta distribution puts such scores. Under the paper's rule (Saturated::shift)
// rows with a score of exactly 0 or 1 are left out. Curves of the links log and logflip must give a probability at
// every row and may not fall (b1 >= 0: else they are unbounded on (0, 1), where Beta scores are); an optimum on such a
// bound is reported as at_bound.
#pragma once

#include <optional>

#include "tare/simulate/fit/beta_scores.hpp"
#include "tare/simulate/truth.hpp"

namespace tare::detail::simulate {

struct CurveFit {
  std::string name;  // logit_logit_b1: the family and its free coefficients
  Curve curve = {};
  int parameters = 0;
  double nll = 0;
  double aic = 0;
  std::vector<std::optional<double>> errors = {};  // standard errors; none for fixed coefficients and on a bound
  FitStatus status = FitStatus::converged;
  int iterations = 0;
  double gradient = 0;  // of the mean nll along the free coefficients; largest component
  std::string note = {};
};

// The best first. Fits without an optimum (unbounded, iteration_limit) come last whatever their AIC.
// Undefined if the rows are all hits or all misses.
Result<std::vector<CurveFit>> fit_curves(const numeric::Ordered& data, const BetaFit& scores);

}  // namespace tare::detail::simulate
