// What vector, matrix and Dirichlet scaling share: softmax(W x + b) with W full or diagonal, fitted by mean NLL
// plus the ODIR penalty of Kull et al. 2019, lambda / (K (K-1)) sum of squared off-diagonal entries of W and
// mu / K sum of squared b. Gradient and Hessian in closed form; with R = q - onehot(y) the gradient is mean R x^T.
#pragma once

#include "tare/fit/affine/features.hpp"
#include "tare/fit/spec.hpp"

namespace tare::inner::fit {

struct AffineTask {
  std::string_view method;
  Features features = Features::logits;
  bool diagonal = false;  // W = diag(w), no penalty
  double lambda = 0;
  double mu = 0;
};

// Parameters saved: "w" and "b" (diagonal, or one column of logits), else "W" (row by row) and "b".
Result<Model> fit_affine(const MulticlassView& view, const AffineTask& task, const Options& options);
Result<std::unique_ptr<Map>> load_affine(const Model& model, Features features, bool diagonal);

}  // namespace tare::inner::fit
