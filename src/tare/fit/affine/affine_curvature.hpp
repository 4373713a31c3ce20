// Products of the Hessian of affine_problem.hpp with any direction V, for a full W: with U = X V^T the rows of H V are
// mean q_c (u_c - sum q u) x^T plus the penalty, two products of matrices and nothing of the size of H.
#pragma once

#include "tare/fit/affine/affine_preconditioner.hpp"
#include "tare/numeric/solve/minimise.hpp"

namespace tare::detail::fit {

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
