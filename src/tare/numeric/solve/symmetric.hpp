// Eigenvalues of symmetric matrices, by Eigen: its solver takes seconds to compile, and symmetric.cpp alone does it.
#pragma once

#include <Eigen/Core>

namespace tare::detail::numeric {

struct Axes {
  Eigen::VectorXd values;   // ascending
  Eigen::MatrixXd vectors;  // a column each
};
Axes axes_of(const Eigen::MatrixXd& symmetric);
double largest_eigenvalue(const Eigen::MatrixXd& symmetric);

}  // namespace tare::detail::numeric
