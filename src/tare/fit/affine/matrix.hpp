// Matrix scaling: softmax(W z + b). Guo et al. 2017, section 4.2; with lambda and mu the penalty of Kull et al.
// 2019 (ODIR) on off-diagonal entries and intercepts. Without a penalty K (K + 1) parameters separate a few
// thousand rows, and then no optimum exists: the fit says so. mu is lambda unless given; both are 0 by default.
#pragma once

#include "tare/fit/affine/affine.hpp"
#include "tare/fit/zeros.hpp"

namespace tare::detail::fit {

Result<Model> matrix(const MulticlassView& view, const Options& options = {});
Result<Recipe> matrix_recipe(const Model& model);

extern const Calibrator matrix_calibrator;

}  // namespace tare::detail::fit
