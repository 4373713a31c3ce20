// Beta calibration: ln(q / (1 - q)) = a ln s - b ln(1 - s) + c with a, b >= 0, so that the map never falls;
// the identity is a = b = 1, c = 0. Kull, Silva Filho & Flach 2017.
// The paper fits without the bounds and refits with a coefficient set to 0 where it came out negative; here the
// bounded problem is solved as such, which gives the same where that gives an optimum.
#pragma once

#include "tare/fit/platt.hpp"

namespace tare::detail::fit {

struct BetaCurve {
  double a = 1;
  double b = 1;
  double c = 0;
  Outcome outcome = {};

  // of the log-odds z: ln s and ln(1 - s) keep their digits at both ends
  [[nodiscard]] double eta(double z) const { return rows::beta_log_odds(z, a, b, c); }
  double operator()(double z) const { return sigma(eta(z)); }
  template <class T>
  void map(std::span<const T> z, std::span<double> out) const {
    rows::beta_rows(z.data(), z.size(), a, b, c, out.data());
  }
  [[nodiscard]] BetaCurve complement() const { return {.a = -a, .b = -b, .c = -c}; }
};

BetaCurve fit_beta_curve(const Problem& problem, bool smooth_targets, int max_iterations);

extern const Calibrator beta_calibrator;

}  // namespace tare::detail::fit
