// A Beta distribution of scores by maximum likelihood: Roelofs et al. 2022, section 6 and Table 2.
// Scores within about 2^-20 of 0 or 1 are saturated: where exactly they lie is an accident of float32 or float64, and
// it decides the fit if it is believed. So they are censored by default: they count as P(1 - c < saturation), or as P(c
// < saturation).
#pragma once

#include "tare/core/model.hpp"
#include "tare/core/result.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::simulate {

// A little below 2^-20: between neighbouring values of 1 - c both where softmax ran in float32 (multiples of 2^-23,
// since the sum of exponentials is at least 1) and where it ran in float64 and was stored in float32 (multiples of
// 2^-24), so that rounding carries few rows across.
inline constexpr double saturation = 14.75 * 0x1p-24;

inline bool saturated_high(double c) { return 1 - c < saturation; }
inline bool saturated_low(double c) { return c < saturation; }

enum class Saturated {
  censor,  // only known to be saturated
  shift,   // the paper's rule: c - 1e-16 in double precision for all, nothing censored
};

struct BetaFit {
  Saturated saturated = Saturated::censor;  // the rule used
  double alpha = 1;
  double beta = 1;
  double alpha_error = 0;  // standard errors, from the observed information
  double beta_error = 0;
  double nll = 0;
  double aic = 0;   // 2 * 2 + 2 nll
  double rows = 0;  // total weight
  double high = 0;  // of which saturated at 1
  double low = 0;   // and at 0
  FitStatus status = FitStatus::converged;
  int iterations = 0;
  double gradient = 0;  // of the mean log-likelihood in ln alpha, ln beta; largest component
};

// Undefined for scores that are all equal, or all saturated.
Result<BetaFit> fit_beta_scores(const numeric::Ordered& scores, Saturated saturated = Saturated::censor);

}  // namespace tare::detail::simulate
