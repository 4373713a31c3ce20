// Matrix scaling: softmax(W z + b). Guo et al. 2017, section 4.2; with lambda and mu the penalty of Kull et al.
// 2019 (ODIR) on off-diagonal entries and intercepts. Without a penalty K (K + 1) parameters separate a few
// thousand rows, and then no optimum exists: the fit says so. mu is lambda unless given; both are 0 by default.
#pragma once

#include "tare/fit/affine/affine.hpp"
#include "tare/fit/zeros.hpp"

namespace tare::inner::fit {

inline Result<Model> fit_matrix(const MulticlassView& view, const Options& options) {
  const double lambda = options.lambda.value_or(0), mu = options.mu.value_or(lambda);
  auto model = fit_affine(view, {.method = "matrix", .lambda = lambda, .mu = mu}, options);
  if (!model) return model;
  model->parameters["lambda"] = lambda;
  model->parameters["mu"] = mu;
  return model;
}
inline Result<Model> matrix(const MulticlassView& view, const Options& options = {}) {
  return fit_filled(view, options, fit_matrix, false);
}
inline Result<std::unique_ptr<Map>> load_matrix(const Model& model) {
  constexpr auto load = [](const Model& plain) { return load_affine(plain, Features::logits, false); };
  return load_filled(model, load, false);
}

inline constexpr Row matrix_row{
    .name = "matrix",
    .title = "matrix scaling",
    .summary = "a linear map of all logits; overfits many classes unless lambda and mu hold it back",
    .citation = "Guo et al. 2017, section 4.2; Kull et al. 2019 (ODIR)",
    .options = "lambda mu max_iterations",
    .fit = matrix,
    .load = load_matrix};

}  // namespace tare::inner::fit
