// Approximate inverse Hessians of the problem of affine_problem.hpp, for L-BFGS and conjugate gradients. The Hessian of
// class c with itself is mean q_c (1 - q_c) x x^T plus the penalty; the blocks that couple two classes are left out. Up
// to 200 classes every block is factored; beyond, q_c (1 - q_c) is replaced by its mean, so that all blocks
// share the axes of mean x x^T. A diagonal W has a diagonal one.
#pragma once

#include "tare/fit/affine/affine_problem.hpp"

namespace tare::detail::fit {

class AffinePreconditioner {
 public:
  explicit AffinePreconditioner(const AffineProblem& problem) : p_(problem) {}

  void move_to(std::span<const double> x);  // sums over the rows at x
  // Factors what was summed, plus damping times D: mean x x^T for every class. Only for a full W.
  void prepare(double damping);
  void operator()(std::span<double> r) const { apply_(r); }

  // D times the rows of v, added to out with a factor.
  void add_damping(double damping, std::span<const double> v, std::span<double> out);

 private:
  using Matrix = AffineProblem::Matrix;
  void sum_blocks(std::span<const double> x);
  void sum_spread(std::span<const double> x);
  void factor_blocks(double damping);
  void factor_shared(double damping);
  void invert_diagonal(std::span<const double> x);
  const Eigen::MatrixXd& moments();
  [[nodiscard]] bool by_blocks() const;

  const AffineProblem& p_;
  Eigen::MatrixXd moments_ = {};              // mean x x^T
  std::vector<Eigen::MatrixXd> blocks_ = {};  // lower triangles
  Eigen::VectorXd spread_ = {}, eigenvalues_ = {};
  Matrix axes_ = {};
  std::function<void(std::span<double>)> apply_ = {};
};

}  // namespace tare::detail::fit
