// Isotonic regression: the non-decreasing map closest to the labels, by pooling adjacent violators.
// Zadrozny & Elkan 2002; Guo et al. 2017, section 4.1. Rates are compared as whole numbers (numeric/order/pav.hpp).
// Between blocks the map is linear, as scikit-learn draws it; shape=step is Guo's step function. Outside the
// scores seen it keeps the end values.
#pragma once

#include "tare/fit/one_vs_rest.hpp"
#include "tare/fit/parameters.hpp"
#include "tare/fit/report.hpp"
#include "tare/fit/spec.hpp"

namespace tare::inner::fit {

// Knots (x, y), both ascending. Linear: first and last score of every block. Step: the first score only.
struct Isotonic {
  std::vector<double> x = {};
  std::vector<double> y = {};
  bool step = false;

  double operator()(double score) const {
    const auto right = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), score) - x.begin());
    if (right == 0) return y.front();
    const std::size_t left = right - 1;
    if (step || right == x.size()) return y[left];
    const double t = (score - x[left]) / (x[right] - x[left]);
    return std::min(y[left] + (y[right] - y[left]) * t, y[right]);  // rounding must not break the order
  }
};

Isotonic isotonic_curve(const Problem& problem, bool step);

inline Result<std::unique_ptr<Map>> load_isotonic(const Model& model) {
  const std::size_t count = problems(model.columns);
  const auto shape = word(model, "shape");
  if (!shape) return shape.error();
  if (*shape != "linear" && *shape != "step") return bad_parameter("shape", "is '" + *shape + "', not linear or step");
  const auto x = lists(model, "x", count, {0, 1});
  if (!x) return x.error();
  const auto y = lists(model, "y", count, {0, 1});
  if (!y) return y.error();
  std::vector<Isotonic> curves;
  for (std::size_t j = 0; j < count; ++j) {
    Isotonic curve{(*x)[j], (*y)[j], *shape == "step"};
    const std::string place = " in list " + std::to_string(j);
    if (curve.x.empty()) return bad_parameter("x", "has no knots" + place);
    if (curve.x.size() != curve.y.size()) return bad_parameter("y", "has another length than 'x'" + place);
    for (std::size_t i = 1; i < curve.x.size(); ++i) {
      if (!(curve.x[i - 1] < curve.x[i])) return bad_parameter("x", "does not rise" + place);
      if (!(curve.y[i - 1] <= curve.y[i])) return bad_parameter("y", "falls" + place);
    }
    curves.push_back(std::move(curve));
  }
  return std::unique_ptr<Map>(
      std::make_unique<OneVsRestMap<Isotonic>>(model.input, model.columns, Scale::probability, std::move(curves)));
}

inline Result<Model> isotonic(const MulticlassView& view, const Options& options = {}) {
  Lists x, y;
  for (auto& curve : fit_problems(view, Scale::probability, options.threads,
                                  [&](const Problem& p) { return isotonic_curve(p, options.step); })) {
    x.push_back(std::move(curve.x));
    y.push_back(std::move(curve.y));
  }
  Model model = model_of(view, "isotonic");
  model.parameters["shape"] = options.step ? "step" : "linear";
  model.parameters["x"] = std::move(x);
  model.parameters["y"] = std::move(y);
  return with_nll(std::move(model), view, load_isotonic, options.threads);
}

inline constexpr Row isotonic_row{
    .name = "isotonic",
    .title = "isotonic regression",
    .summary = "the non-decreasing map of the scores that fits the labels best; needs a few thousand rows",
    .citation = "Zadrozny & Elkan 2002; Ayer et al. 1955",
    .options = "shape",
    .fit = isotonic,
    .load = load_isotonic};

}  // namespace tare::inner::fit
