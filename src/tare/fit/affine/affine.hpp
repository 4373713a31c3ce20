// What vector, matrix and Dirichlet scaling share: softmax(W x + b) with W full or diagonal, fitted by mean NLL
// plus the ODIR penalty of Kull et al. 2019, lambda / (K (K-1)) sum of squared off-diagonal entries of W and
// mu / K sum of squared b. Gradient and Hessian in closed form; with R = q - onehot(y) the gradient is mean R x^T.
#pragma once

#include <optional>
#include <vector>

#include "tare/fit/affine/features.hpp"
#include "tare/fit/spec.hpp"
#include "tare/numeric/solve/minimise.hpp"

namespace tare::detail::fit {

struct AffineTask {
  std::string_view method;
  Features features = Features::logits;
  bool diagonal = false;  // W = diag(w), no penalty
  double lambda = 0;
  double mu = 0;
};

// Why there may be no best parameters.
struct AffineOutlook {
  std::vector<std::size_t> missing = {};      // classes that never occur
  bool missing_unbounded = false;             // and nothing keeps their probability from going to 0
  std::optional<std::size_t> separable = {};  // a class that a linear function tells from all others
};

// Status and note of a fit that ended so.
void conclude(const numeric::Minimum& m, const AffineTask& task, const AffineOutlook& data, FitReport& report);

// Parameters saved: "w" and "b" (diagonal, or one column of logits), else "W" (row by row) and "b".
Result<Model> fit_affine(const MulticlassView& view, const AffineTask& task, const Options& options);
Result<Recipe> affine_recipe(const Model& model, Features features, bool diagonal);

}  // namespace tare::detail::fit
