#include "tare/fit/affine/vector.hpp"

namespace tare::inner::fit {
namespace {

Result<Model> fit_vector(const MulticlassView& view, const Options& options) {
  return fit_affine(view, {.method = "vector", .diagonal = true}, options);
}

}  // namespace

Result<Model> vector(const MulticlassView& view, const Options& options) {
  return fit_filled(view, options, fit_vector, false);
}

Result<std::unique_ptr<Map>> load_vector(const Model& model) {
  constexpr auto load = [](const Model& plain) { return load_affine(plain, Features::logits, true); };
  return load_filled(model, load, false);
}

constinit const Calibrator vector_calibrator{.name = "vector",
                                             .title = "vector scaling",
                                             .summary = "one factor and one intercept per class",
                                             .citation = "Guo et al. 2017, section 4.2",
                                             .complexity = 3,
                                             .fit = vector,
                                             .load = load_vector};

}  // namespace tare::inner::fit
