// Vector, matrix and Dirichlet scaling: softmax(W x + b) with W full or diagonal, fitted by mean NLL plus the ODIR
// penalty of Kull et al. 2019, lambda / (K (K-1)) sum of squared off-diagonal entries of W and mu / K sum of squared b.
// Gradient and Hessian in closed form; with R = q - onehot(y) the gradient is mean R x^T.
//
// Vector scaling: softmax(w * z + b), one factor and one intercept per class. Guo et al. 2017, section 4.2.
// Convex; Newton's method up to 200 classes, L-BFGS above. The factors are unique, the intercepts up to a
// common number: they are saved centred. One column: sigma(w z + b).
//
// Matrix scaling: softmax(W z + b). Guo et al. 2017, section 4.2; with lambda and mu the penalty of Kull et al.
// 2019 (ODIR) on off-diagonal entries and intercepts. Without a penalty K (K + 1) parameters separate a few
// thousand rows, and then no optimum exists: the fit says so. mu is lambda unless given; both are 0 by default.
//
// Dirichlet calibration: softmax(W ln p + b) with off-diagonal and intercept regularisation (ODIR).
// Kull et al. 2019, Eq. 3 and section 3.3: mean NLL + lambda / (K (K-1)) sum W_ij^2 (i != j) + mu / K sum b_j^2.
// lambda is K (K-1) / 10 unless given, and mu is lambda unless given.
#pragma once

#include <optional>
#include <vector>

#include "tare/fit/rows/map.hpp"
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
extern const Calibrator vector_calibrator, matrix_calibrator, dirichlet_calibrator;

}  // namespace tare::detail::fit
