#include "tare/fit/beta.hpp"

#include <algorithm>
#include <cmath>

namespace tare::inner::fit {

BetaCurve fit_beta(const Problem& problem, bool smooth_targets, int max_iterations) {
  const Separation classes(problem);
  BetaCurve out;
  if (!smooth_targets && (classes.one_class() || (!classes.one_score() && classes.rising()))) {
    out = fit_beta(problem, true, max_iterations);
    out.outcome.status = FitStatus::unbounded;
    out.outcome.note = classes.one_class() ? one_class_note : separated_note;
    return out;
  }
  if (classes.one_score()) {  // a = b = 1 makes this Platt's case
    const Sigmoid sigmoid = fit_sigmoid(problem, smooth_targets, max_iterations);
    return {.c = sigmoid.b, .outcome = sigmoid.outcome};
  }
  const auto finite = [](double z) { return std::clamp(z, -1e100, 1e100); };
  LogisticData data{.x = {mapped(problem, [&](double z) { return log_sigma(finite(z)); }),
                          mapped(problem, [&](double z) { return -log_sigma(-finite(z)); })},
                    .label = problem.label,
                    .weight = problem.weight};
  if (smooth_targets) {
    data.target_1 = classes.smooth_1();
    data.target_0 = classes.smooth_0();
  }
  const LogisticFit fit =
      fit_logistic(data, {.nonnegative = true,
                          .max_iterations = max_iterations > 0 ? max_iterations : LogisticOptions{}.max_iterations,
                          .threads = problem.threads});
  out = {fit.slope[0], fit.slope[1], fit.intercept, {.iterations = fit.iterations, .gradient = fit.gradient}};
  if (fit.gradient > certified_gradient) {
    out.outcome.status = FitStatus::iteration_limit;
    out.outcome.note = stopped_note;
  } else if (fit.at_bound) {
    out.outcome.status = FitStatus::at_bound;
    out.outcome.note = "a coefficient is held at 0, where the map stops falling";
  }
  return out;
}

}  // namespace tare::inner::fit
