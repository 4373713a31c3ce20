#include "tare/fit/affine/vector.hpp"

namespace tare::detail::fit {
namespace {

Result<Model> fit_vector(const MulticlassView& view, const Options& options) {
  return fit_affine(view, {.method = "vector", .diagonal = true}, options);
}

}  // namespace

Result<Model> vector(const MulticlassView& view, const Options& options) {
  return fit_filled(view, options, fit_vector, false);
}

Result<Recipe> vector_recipe(const Model& model) {
  constexpr auto plain = [](const Model& m) { return affine_recipe(m, Features::logits, true); };
  return filled_recipe(model, plain, false);
}

constinit const Calibrator vector_calibrator{.name = "vector",
                                             .title = "vector scaling",
                                             .summary = "one factor and one intercept per class",
                                             .citation = "Guo et al. 2017, section 4.2",
                                             .complexity = 3,
                                             .fit = vector,
                                             .recipe = vector_recipe};

}  // namespace tare::detail::fit
