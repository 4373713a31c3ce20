// Vector scaling: softmax(w * z + b), one factor and one intercept per class. Guo et al. 2017, section 4.2.
// Convex; Newton's method up to 200 classes, L-BFGS above. The factors are unique, the intercepts up to a
// common number: they are saved centred. One column: sigma(w z + b).
#pragma once

#include "tare/fit/affine/affine.hpp"
#include "tare/fit/zeros.hpp"

namespace tare::inner::fit {

inline Result<Model> fit_vector(const MulticlassView& view, const Options& options) {
  return fit_affine(view, {.method = "vector", .diagonal = true}, options);
}
inline Result<Model> vector(const MulticlassView& view, const Options& options = {}) {
  return fit_filled(view, options, fit_vector, false);
}
inline Result<std::unique_ptr<Map>> load_vector(const Model& model) {
  constexpr auto load = [](const Model& plain) { return load_affine(plain, Features::logits, true); };
  return load_filled(model, load, false);
}

inline constexpr Row vector_row{.name = "vector",
                                .title = "vector scaling",
                                .summary = "one factor and one intercept per class",
                                .citation = "Guo et al. 2017, section 4.2",
                                .fit = vector,
                                .load = load_vector};

}  // namespace tare::inner::fit
