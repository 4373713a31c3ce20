// The Hessian of the problem of affine_problem.hpp: about its inverse, and its products.
#pragma once

#include <functional>
#include <vector>

#include "tare/fit/affine/affine_problem.hpp"
#include "tare/numeric/solve/minimise.hpp"

namespace tare::detail::fit {

// Approximate inverse Hessians for L-BFGS and conjugate gradients. The Hessian of
// class c with itself is mean q_c (1 - q_c) x x^T plus the penalty; the blocks that couple two classes are left out. Up
// to 200 classes every block is factored; beyond, q_c (1 - q_c) is replaced by its mean, so that all blocks
// share the axes of mean x x^T. A diagonal W has a diagonal one.
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

// Products of the Hessian with any direction V, for a full W: with U = X V^T the rows of H V are
// mean q_c (u_c - sum q u) x^T plus the penalty, two products of matrices and nothing of the size of H.
class AffineCurvature final : public numeric::Curved {
 public:
  explicit AffineCurvature(const AffineProblem& problem);
  ~AffineCurvature() override;  // in the .cpp: Eigen must free what it made under the same settings

  double value(std::span<const double> x, std::span<double> gradient) override { return p_(x, gradient); }
  void move_to(std::span<const double> x) override;
  void prepare(double damping) override;
  void product(std::span<const double> v, std::span<double> out) override;
  void precondition(std::span<double> r) override { preconditioner_(r); }

 private:
  using Matrix = AffineProblem::Matrix;
  const AffineProblem& p_;
  AffinePreconditioner preconditioner_;
  std::vector<double> at_ = {};
  void keep_probabilities();
  Matrix q_ = {};  // of all rows, where they fit
  // Those above 1e-10, row by row, where they are few: sure rows have little curvature.
  struct Entry {
    std::uint32_t column;
    double q;
  };
  std::vector<std::vector<Entry>> few_ = {};
  void add_few(const AffineProblem::Block& block, const Eigen::Ref<const Matrix>& direction,
               Eigen::VectorXd& gradient) const;
  double damping_ = 0;
  int products_ = 0;  // since the preconditioner was made
};

}  // namespace tare::detail::fit
