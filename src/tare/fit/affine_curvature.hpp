// Products of the Hessian of affine_problem.hpp with any direction V, for a full W: with U = X V^T the rows of H V are
// mean q_c (u_c - sum q u) x^T plus the penalty, two products of matrices and nothing of the size of H.
#pragma once

#include "tare/fit/affine_preconditioner.hpp"
#include "tare/numeric/minimise.hpp"

namespace tare::fit {

class AffineCurvature final : public numeric::Curved {
 public:
  explicit AffineCurvature(const AffineProblem& problem) : p_(problem), preconditioner_(problem) {}

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
  Matrix q_ = {};  // of all rows, where they fit
  double damping_ = 0;
  int products_ = 0;  // since the preconditioner was made
};

}  // namespace tare::fit
