// Vector scaling: softmax(w * z + b), one factor and one intercept per class. Guo et al. 2017, section 4.2.
// Convex; Newton's method up to 200 classes, L-BFGS above. The factors are unique, the intercepts up to a
// common number: they are saved centred. One column: sigma(w z + b).
#pragma once

#include "tare/fit/affine/affine.hpp"
#include "tare/fit/zeros.hpp"

namespace tare::detail::fit {

Result<Model> vector(const MulticlassView& view, const Options& options = {});
Result<Recipe> vector_recipe(const Model& model);

extern const Calibrator vector_calibrator;

}  // namespace tare::detail::fit
