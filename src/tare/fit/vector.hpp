// Vector scaling: softmax(w * z + b), one factor and one intercept per class. Guo et al. 2017, section 4.2.
// Convex; Newton's method up to 200 classes, L-BFGS above. The factors are unique, the intercepts up to a
// common number: they are saved centred. One column: sigma(w z + b).
#pragma once

#include "tare/fit/affine.hpp"

namespace tare::fit {

inline Result<Model> vector(const MulticlassView& view, const Options& options = {}) {
  return fit_affine(view, {.method = "vector", .diagonal = true}, options);
}
inline Result<std::unique_ptr<Map>> load_vector(const Model& model) {
  return load_affine(model, Features::logits, true);
}

inline constexpr Row vector_row{.name = "vector",
                                .title = "vector scaling",
                                .summary = "one factor and one intercept per class",
                                .citation = "Guo et al. 2017, section 4.2",
                                .fit = vector,
                                .load = load_vector};

}  // namespace tare::fit
