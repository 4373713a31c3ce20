#include "tare/fit/ensemble_temperature.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tare/fit/mixture.hpp"
#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/parameters.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/rows/map.hpp"
#include "tare/fit/temperature.hpp"
#include "tare/fit/zeros.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::fit {
namespace {

using fit::Three;

// What each of the three gives to the label, row by row.
std::vector<Three> of_labels(const MulticlassView& view, double v, int threads) {
  const std::size_t n = view.size(), k = view.columns(), rows = std::clamp<std::size_t>(65536 / k, 1, 4096);
  const bool probabilities = view.kind() == Kind::probs;
  std::vector<Three> out(n);
  numeric::parallel_for((n + rows - 1) / rows, threads, [&](std::size_t c) {
    const std::size_t first = c * rows, count = std::min(rows, n - first);
    const Reals in = rows_of(view.values(), k, first, count);
    std::vector<double> q(count * k);
    for (std::size_t which = 0; which < 2; ++which) {
      tempered_softmax(in, k, probabilities, which == 0 ? v : 1, q);
      for (std::size_t i = 0; i < count; ++i) {
        const auto y = static_cast<std::size_t>(view.label()[first + i]);
        out[first + i][which] = k > 1 ? q[i * k + y] : y == 1 ? q[i] : 1 - q[i];
      }
    }
    for (std::size_t i = 0; i < count; ++i) out[first + i][2] = 1 / static_cast<double>(view.classes());
  });
  return out;
}

Result<Model> fit_ensemble(const MulticlassView& view, const Options& options) {
  const auto scaled = temperature(view, options);
  if (!scaled) return scaled.error();
  const double t = std::get<double>(scaled->parameters.at("temperature"));
  const auto mixture = fit::best_mixture(of_labels(view, 1 / t, options.threads), view.weight());
  Model model = *scaled;
  model.method = "ensemble_temperature";
  model.parameters["weights"] = std::vector<double>(mixture.w.begin(), mixture.w.end());
  model.fit.iterations += mixture.iterations;
  model.fit.gradient = std::max(scaled->fit.gradient.value_or(0), mixture.violation);
  model.fit.nll_after = mixture.value;
  if (model.fit.status == FitStatus::converged && mixture.violation > 1e-8) {
    model.fit.status = FitStatus::iteration_limit;
    model.fit.note = "the weights stopped where rounding hides any further progress";
  }
  return model;
}

Result<Recipe> plain_ensemble(const Model& model) {
  const auto t = number(model, "temperature", {smallest_temperature * (1 - 1e-9), largest_temperature * (1 + 1e-9)});
  if (!t) return t.error();
  auto w = list(model, "weights", 3, {0, 1});
  if (!w) return w.error();
  const double sum = (*w)[0] + (*w)[1] + (*w)[2];
  if (std::abs(sum - 1) > 1e-12) return bad_parameter("weights", "do not sum to 1");
  return recipe_of(model, Recipe::Tempered{.v = 1 / *t, .weights = *std::move(w)});
}

}  // namespace

Result<Model> ensemble_temperature(const MulticlassView& view, const Options& options) {
  return fit_filled(view, options, fit_ensemble, true);
}
Result<Recipe> ensemble_temperature_recipe(const Model& model) { return filled_recipe(model, plain_ensemble, true); }

constinit const Calibrator ensemble_temperature_calibrator{
    .name = "ensemble_temperature",
    .title = "ensemble temperature scaling",
    .summary = "mixes the tempered, the raw and the uniform prediction; never changes the top label",
    .citation = "Zhang et al. 2020",
    .complexity = 2,
    .keeps_top_label = true,
    .fit = ensemble_temperature,
    .recipe = ensemble_temperature_recipe};

}  // namespace tare::detail::fit
