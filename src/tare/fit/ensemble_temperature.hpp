// Ensemble temperature scaling: w1 softmax(z / T) + w2 softmax(z) + w3 / K with w >= 0 summing to 1; the top label
// never changes. Zhang, Kailkhura & Han 2020, section 3.2. T first, by temperature scaling; then w with T fixed,
// by mean NLL: convex in w, solved exactly (fit/mixture.hpp).
#pragma once

#include "tare/fit/spec.hpp"

namespace tare::detail::fit {

Result<Model> ensemble_temperature(const MulticlassView& view, const Options& options = {});
Result<Recipe> ensemble_temperature_recipe(const Model& model);

extern const Calibrator ensemble_temperature_calibrator;

}  // namespace tare::detail::fit
