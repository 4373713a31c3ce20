#include "tare/numeric/solve/symmetric.hpp"

#include <Eigen/Eigenvalues>

namespace tare::detail::numeric {

using Solver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

Axes axes_of(const Eigen::MatrixXd& symmetric) {
  const Solver solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

double largest_eigenvalue(const Eigen::MatrixXd& symmetric) {
  return Solver(symmetric, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
}

}  // namespace tare::detail::numeric
