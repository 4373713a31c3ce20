#include "tare/fit/platt.hpp"

#include <algorithm>
#include <cmath>

#include "tare/numeric/exact/fixed.hpp"

namespace tare::inner::fit {

ScoreSeparation::ScoreSeparation(const Problem& problem) {
  numeric::ExactSum negatives, positives;
  problem.score.visit([&](auto score) {
    for (std::size_t i = 0; i < score.size(); ++i) {
      numeric::stop_if_asked_at(i);
      const double w = problem.weight.empty() ? 1 : problem.weight[i], s = static_cast<double>(score[i]);
      if (w == 0) continue;
      ClassRange& range = problem.label[i] ? positive : negative;
      range.low = std::min(range.low, s);
      range.high = std::max(range.high, s);
      (problem.label[i] ? positives : negatives).add(w);
    }
  });
  negative.weight = negatives.value();
  positive.weight = positives.value();
}

Sigmoid fit_sigmoid(const Problem& problem, bool smooth_targets, int max_iterations) {
  const ScoreSeparation classes(problem);
  Sigmoid out;
  if (!smooth_targets && (classes.one_class() || (!classes.one_score() && (classes.rising() || classes.falling())))) {
    out = fit_sigmoid(problem, true, max_iterations);
    out.outcome.status = FitStatus::unbounded;
    out.outcome.note = classes.one_class() ? one_class_note : separated_note;
    return out;
  }
  const double t1 = smooth_targets ? classes.smooth_1() : 1, t0 = smooth_targets ? classes.smooth_0() : 0;
  if (classes.one_score()) {
    const double z = std::min(classes.negative.low, classes.positive.low);
    const double n = classes.negative.weight + classes.positive.weight;
    const double t = (classes.positive.weight * t1 + classes.negative.weight * t0) / n;
    out.b = std::log(t) - std::log1p(-t) - z;
    out.outcome = {.gradient = std::abs(out(z) - t) * std::max(1.0, std::abs(z)), .note = one_score_note};
    return out;
  }
  const LogisticData data{.x = {mapped(problem, [](double z) { return std::clamp(z, -1e100, 1e100); })},
                          .label = problem.label,
                          .weight = problem.weight,
                          .target_1 = t1,
                          .target_0 = t0};
  const LogisticFit fit =
      fit_logistic(data, {.max_iterations = max_iterations > 0 ? max_iterations : LogisticOptions{}.max_iterations,
                          .threads = problem.threads});
  out.a = fit.slope[0];
  out.b = fit.intercept;
  out.outcome = {.iterations = fit.iterations, .gradient = fit.gradient};
  if (fit.gradient > certified_gradient) {
    out.outcome.status = FitStatus::iteration_limit;
    out.outcome.note = stopped_note;
  }
  return out;
}

namespace {

Result<Recipe> platt_curves(const Model& model) {
  const std::size_t count = problems(model.columns);
  const auto a = list(model, "a", count), b = list(model, "b", count);
  if (!a) return a.error();
  if (!b) return b.error();
  Recipe::Curves out{Recipe::Shape::sigmoid, std::vector<Recipe::Curve>(count)};
  for (std::size_t j = 0; j < count; ++j) out.curve[j] = {.a = (*a)[j], .b = (*b)[j]};
  return recipe_of(model, std::move(out));
}

Result<Model> fit_platt_curves(const MulticlassView& view, const Options& options) {
  std::vector<double> a, b;
  std::vector<Outcome> outcomes;
  for (auto& s : fit_problems(view, Scale::log_odds, options.threads, [&](const Problem& p) {
         return fit_sigmoid(p, options.smooth_targets, options.max_iterations);
       })) {
    a.push_back(s.a);
    b.push_back(s.b);
    outcomes.push_back(std::move(s.outcome));
  }
  Model model = model_of(view, "platt");
  model.parameters["a"] = std::move(a);
  model.parameters["b"] = std::move(b);
  model.fit = merged(outcomes);
  return with_nll(std::move(model), view, platt_curves, options);
}

}  // namespace

Result<Recipe> platt_recipe(const Model& model) { return filled_recipe(model, platt_curves, false); }

Result<Model> platt(const MulticlassView& view, const Options& options) {
  return fit_filled(view, options, fit_platt_curves, false);
}

constinit const Calibrator platt_calibrator{
    .name = "platt",
    .title = "Platt scaling",
    .summary = "slope and intercept on the log-odds; two numbers per class, good for few rows",
    .citation = "Platt 1999; Guo et al. 2017, section 4.1",
    .complexity = 3,
    .options = "smooth_targets max_iterations",
    .fit = platt,
    .recipe = platt_recipe};

}  // namespace tare::inner::fit
