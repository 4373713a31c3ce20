#include "tare/fit/beta.hpp"

#include <algorithm>

namespace tare::detail::fit {

BetaCurve fit_beta_curve(const Problem& problem, bool smooth_targets, int max_iterations) {
  const ScoreSeparation classes(problem);
  BetaCurve out;
  if (!smooth_targets && (classes.one_class() || (!classes.one_score() && classes.rising()))) {
    out = fit_beta_curve(problem, true, max_iterations);
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

namespace {

Result<Recipe> beta_curves(const Model& model) {
  const std::size_t count = problems(model.columns);
  const auto a = list(model, "a", count, {0, 1e300}), b = list(model, "b", count, {0, 1e300});
  const auto c = list(model, "c", count, {-1e300, 1e300});
  if (!a) return a.error();
  if (!b) return b.error();
  if (!c) return c.error();
  Recipe::Curves out{Recipe::Shape::beta, std::vector<Recipe::Curve>(count)};
  for (std::size_t j = 0; j < count; ++j) out.curve[j] = {.a = (*a)[j], .b = (*b)[j], .c = (*c)[j]};
  return recipe_of(model, std::move(out));
}

Result<Model> fit_beta_curves(const MulticlassView& view, const Options& options) {
  const auto curves = fit_problems(view, Scale::log_odds, options.threads, [&](const Problem& p) {
    return fit_beta_curve(p, options.smooth_targets, options.max_iterations);
  });
  Model model = model_of(view, "beta");
  model.parameters["a"] = parts_of(curves, &BetaCurve::a);
  model.parameters["b"] = parts_of(curves, &BetaCurve::b);
  model.parameters["c"] = parts_of(curves, &BetaCurve::c);
  model.fit = merged(parts_of(curves, &BetaCurve::outcome));
  return with_nll(std::move(model), view, beta_curves, options);
}

}  // namespace

constinit const Calibrator beta_calibrator{
    .name = "beta",
    .title = "beta calibration",
    .summary = "three numbers per class on the logarithms of the score; contains the identity, never falls",
    .citation = "Kull, Silva Filho & Flach 2017",
    .complexity = 3,
    .options = "smooth_targets max_iterations",
    .fit = fit_filled<fit_beta_curves>,
    .recipe = filled_recipe<beta_curves>};

}  // namespace tare::detail::fit
