#include "tare/fit/affine/matrix.hpp"

namespace tare::detail::fit {
namespace {

Result<Model> fit_matrix(const MulticlassView& view, const Options& options) {
  const double lambda = options.lambda.value_or(0), mu = options.mu.value_or(lambda);
  auto model = fit_affine(view, {.method = "matrix", .lambda = lambda, .mu = mu}, options);
  if (!model) return model;
  model->parameters["lambda"] = lambda;
  model->parameters["mu"] = mu;
  return model;
}

}  // namespace

Result<Model> matrix(const MulticlassView& view, const Options& options) {
  return fit_filled(view, options, fit_matrix, false);
}

Result<Recipe> matrix_recipe(const Model& model) {
  constexpr auto plain = [](const Model& m) { return affine_recipe(m, Features::logits, false); };
  return filled_recipe(model, plain, false);
}

constinit const Calibrator matrix_calibrator{
    .name = "matrix",
    .title = "matrix scaling",
    .summary = "a linear map of all logits; overfits many classes unless lambda and mu hold it back",
    .citation = "Guo et al. 2017, section 4.2; Kull et al. 2019 (ODIR)",
    .complexity = 5,
    .options = "lambda mu max_iterations",
    .fit = matrix,
    .recipe = matrix_recipe};

}  // namespace tare::detail::fit
