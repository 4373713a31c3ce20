// Dirichlet calibration: softmax(W ln p + b) with off-diagonal and intercept regularisation (ODIR).
// Kull et al. 2019, Eq. 3 and section 3.3: mean NLL + lambda / (K (K-1)) sum W_ij^2 (i != j) + mu / K sum b_j^2.
// lambda is K (K-1) / 10 unless given, and mu is lambda unless given.
#pragma once

#include "tare/fit/affine/affine.hpp"
#include "tare/fit/zeros.hpp"

namespace tare::detail::fit {

Result<Model> dirichlet(const MulticlassView& view, const Options& options = {});
Result<Recipe> dirichlet_recipe(const Model& model);

extern const Calibrator dirichlet_calibrator;

}  // namespace tare::detail::fit
