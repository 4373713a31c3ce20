// Beta calibration: ln(q / (1 - q)) = a ln s - b ln(1 - s) + c with a, b >= 0, so that the map never falls;
// the identity is a = b = 1, c = 0. Kull, Silva Filho & Flach 2017.
// The paper fits without the bounds and refits with a coefficient set to 0 where it came out negative; here the
// bounded problem is solved as such, which gives the same where that gives an optimum.
#pragma once

#include "tare/fit/platt.hpp"

namespace tare::inner::fit {

struct BetaCurve {
  double a = 1;
  double b = 1;
  double c = 0;
  Outcome outcome = {};

  // of the log-odds z: ln s and ln(1 - s) keep their digits at both ends
  [[nodiscard]] double eta(double z) const { return a * log_sigma(z) - b * log_sigma(-z) + c; }
  double operator()(double z) const { return sigma(eta(z)); }
  [[nodiscard]] double complement(double z) const { return sigma(-eta(z)); }
};

BetaCurve fit_beta(const Problem& problem, bool smooth_targets, int max_iterations);

inline Result<std::unique_ptr<Map>> load_beta_curves(const Model& model) {
  const std::size_t count = problems(model.columns);
  const auto a = list(model, "a", count, {0, 1e300}), b = list(model, "b", count, {0, 1e300});
  const auto c = list(model, "c", count, {-1e300, 1e300});
  if (!a) return a.error();
  if (!b) return b.error();
  if (!c) return c.error();
  std::vector<BetaCurve> curves(count);
  for (std::size_t j = 0; j < count; ++j) curves[j] = {(*a)[j], (*b)[j], (*c)[j]};
  return std::unique_ptr<Map>(
      std::make_unique<OneVsRestMap<BetaCurve>>(model.input, model.columns, Scale::log_odds, std::move(curves)));
}

inline Result<Model> fit_beta_curves(const MulticlassView& view, const Options& options) {
  std::vector<double> a, b, c;
  std::vector<Outcome> outcomes;
  for (auto& curve : fit_problems(view, Scale::log_odds, options.threads, [&](const Problem& p) {
         return fit_beta(p, options.smooth_targets, options.max_iterations);
       })) {
    a.push_back(curve.a);
    b.push_back(curve.b);
    c.push_back(curve.c);
    outcomes.push_back(std::move(curve.outcome));
  }
  Model model = model_of(view, "beta");
  model.parameters["a"] = std::move(a);
  model.parameters["b"] = std::move(b);
  model.parameters["c"] = std::move(c);
  model.fit = merged(outcomes);
  return with_nll(std::move(model), view, load_beta_curves, options.threads);
}

inline Result<std::unique_ptr<Map>> load_beta(const Model& model) {
  return load_filled(model, load_beta_curves, false);
}
inline Result<Model> beta(const MulticlassView& view, const Options& options = {}) {
  return fit_filled(view, options, fit_beta_curves, false);
}

inline constexpr Row beta_row{
    .name = "beta",
    .title = "beta calibration",
    .summary = "three numbers per class on the logarithms of the score; contains the identity, never falls",
    .citation = "Kull, Silva Filho & Flach 2017",
    .options = "smooth_targets max_iterations",
    .fit = beta,
    .load = load_beta};

}  // namespace tare::inner::fit
