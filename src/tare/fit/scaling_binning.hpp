// Scaling-binning: a Platt map, then equal-mass bins of its outputs, each of which predicts the mean output
// inside it. It takes few values, so its calibration error can be measured. Kumar, Liang & Ma 2019, section 4.1.
//
// The three steps use three different parts of the rows, as the paper's proof needs: sorted by label and score, the
// rows of rank 0, 3, 6 ... fit the Platt map, those of rank 1, 4, 7 ... place the bins, the others give the means.
// So the split is even in both classes and does not depend on row order. share_rows uses all rows for every step.
#pragma once

#include "tare/fit/histogram.hpp"
#include "tare/fit/platt.hpp"

namespace tare::inner::fit {

struct ScalingBinning {
  Sigmoid scaling = {};
  Steps bins = {};  // of the scaling's outputs
  double operator()(double z) const { return bins(scaling(z)); }
};

// Weights of the rows in the three parts; a row of weight 2 is two rows and may be in two parts.
std::vector<std::vector<double>> three_parts(const Problem& problem);

// The scores of the problem are log-odds.
ScalingBinning fit_scaling_binning(const Problem& problem, std::size_t b, const Options& options);

inline Result<std::unique_ptr<Map>> load_scaling_binning_curves(const Model& model) {
  const std::size_t count = problems(model.columns);
  const auto a = list(model, "a", count), b = list(model, "b", count);
  if (!a) return a.error();
  if (!b) return b.error();
  const auto steps = load_steps(model, count);
  if (!steps) return steps.error();
  std::vector<ScalingBinning> curves(count);
  for (std::size_t j = 0; j < count; ++j) {
    curves[j].scaling.a = (*a)[j];
    curves[j].scaling.b = (*b)[j];
    curves[j].bins = (*steps)[j];
  }
  return std::unique_ptr<Map>(
      std::make_unique<OneVsRestMap<ScalingBinning>>(model.input, model.columns, Scale::log_odds, std::move(curves)));
}

inline Result<Model> fit_scaling_binning_curves(const MulticlassView& view, const Options& options) {
  const auto bins = checked_bins(options);
  if (!bins) return bins.error();
  std::vector<double> a, b;
  std::vector<Steps> steps;
  std::vector<Outcome> outcomes;
  for (auto& curve : fit_problems(view, Scale::log_odds, options.threads,
                                  [&](const Problem& p) { return fit_scaling_binning(p, *bins, options); })) {
    a.push_back(curve.scaling.a);
    b.push_back(curve.scaling.b);
    steps.push_back(std::move(curve.bins));
    outcomes.push_back(std::move(curve.scaling.outcome));
  }
  Model model = model_of(view, "scaling_binning");
  model.parameters["a"] = std::move(a);
  model.parameters["b"] = std::move(b);
  save(steps, model);
  model.fit = merged(outcomes);
  return with_nll(std::move(model), view, load_scaling_binning_curves, options.threads);
}

inline Result<std::unique_ptr<Map>> load_scaling_binning(const Model& model) {
  return load_filled(model, load_scaling_binning_curves, false);
}
inline Result<Model> scaling_binning(const MulticlassView& view, const Options& options = {}) {
  return fit_filled(view, options, fit_scaling_binning_curves, false);
}

inline constexpr Row scaling_binning_row{
    .name = "scaling_binning",
    .title = "scaling-binning",
    .summary = "Platt scaling rounded to the means of equal-mass bins; its own error can be measured",
    .citation = "Kumar, Liang & Ma 2019",
    .options = "bins share_rows smooth_targets max_iterations",
    .fit = scaling_binning,
    .load = load_scaling_binning};

}  // namespace tare::inner::fit
