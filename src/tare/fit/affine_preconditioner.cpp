// Approximate inverse Hessians for L-BFGS. The Hessian of class c with itself is mean q_c (1 - q_c) x x^T plus the
// penalty; the blocks that couple two classes are left out. Up to 200 classes every block is factored; beyond,
// q_c (1 - q_c) is replaced by its mean, so that all blocks share the axes of mean x x^T.
#include <memory>

#include "tare/fit/affine_problem.hpp"

namespace tare::fit {

using Eigen::Index;

namespace {

constexpr std::size_t block_classes = 200;  // 64 MB

}  // namespace

// The blocks of the Hessian on its diagonal, one per class: mean q (1 - q) x x^T plus the penalty.
std::function<void(std::span<double>)> AffineProblem::block_preconditioner(std::span<const double> at) const {
  const auto k = static_cast<Index>(k_), n = static_cast<Index>(view_.size());
  Matrix spread(n, k);
  over_blocks([&](const Block& block, Part& part) {
    const Matrix q = probabilities(block, at, part.loss);
    const auto first = static_cast<Index>(block.first), count = static_cast<Index>(block.count);
    for (Index i = 0; i < count; ++i)
      spread.row(first + i) = share(block.first + static_cast<std::size_t>(i)) * (q.row(i).array() * (1 - q.row(i).array()));
  });
  const Eigen::Map<const Matrix> x(cache_.data(), n, k + 1);
  auto factor = std::make_shared<std::vector<Eigen::LLT<Eigen::MatrixXd>>>(k_);
  numeric::parallel_for(k_, threads_, [&](std::size_t c) {
    const auto column = static_cast<Index>(c);
    // rows that hardly know the class add nothing
    const double least = 1e-6 * spread.col(column).maxCoeff();
    Matrix weighted(std::min<Index>(n, 4096), k + 1);
    Index rows = 0;
    Eigen::MatrixXd h = Eigen::MatrixXd::Zero(k + 1, k + 1);
    const auto add_rows = [&] {
      numeric::heed_watch();
      if (rows == 0) return;  // Eigen divides by the number of rows when it cuts the product into blocks
      h.selfadjointView<Eigen::Lower>().rankUpdate(weighted.topRows(rows).transpose());
      rows = 0;
    };
    for (Index i = 0; i < n; ++i) {
      if (spread(i, column) > least) weighted.row(rows++) = std::sqrt(spread(i, column)) * x.row(i);
      if (rows == weighted.rows()) add_rows();
    }
    add_rows();
    h.diagonal().head(k).array() += 2 * lambda_;
    h(column, column) -= 2 * lambda_;
    h(k, k) += 2 * mu_;
    h.diagonal().array() += 1e-9 * h.diagonal().maxCoeff() + 1e-12;
    (*factor)[c].compute(h);
  });
  return [k, factor](std::span<double> r) {
    Eigen::Map<Matrix> m(r.data(), k, k + 1);
    for (Index c = 0; c < k; ++c)
      m.row(c) = (*factor)[static_cast<std::size_t>(c)].solve(m.row(c).transpose()).transpose();
  };
}

// Block c is A_c and two corrections: A_c = mean(q_c (1 - q_c)) M + 2 lambda I is diagonal on the axes of M, but
// the diagonal entry of W has no penalty and the intercept another (Sherman & Morrison, once for each).
std::function<void(std::span<double>)> AffineProblem::shared_preconditioner(std::span<const double> at) const {
  const auto k = static_cast<Index>(k_);
  const Part p = over_blocks([&](const Block& block, Part& part) {
    const Matrix q = probabilities(block, at, part.loss);
    Eigen::VectorXd w(static_cast<Index>(block.count));
    for (std::size_t i = 0; i < block.count; ++i) w(static_cast<Index>(i)) = share(block.first + i);
    if (part.diagonal.size() == 0) part.diagonal.setZero(k);
    if (part.moments.size() == 0) part.moments.setZero(k + 1, k + 1);
    part.diagonal += ((q.array() * (1 - q.array())).colwise() * w.array()).matrix().colwise().sum().transpose();
    part.moments.noalias() += block.x.transpose() * (block.x.array().colwise() * w.array()).matrix();
  });
  const double floor = 1e-6 * p.diagonal.mean() + 1e-12;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(p.moments);
  const Matrix v = axes.eigenvectors();
  Matrix inverse = (p.diagonal.array() + floor).matrix() * axes.eigenvalues().cwiseMax(0).transpose();
  inverse = (inverse.array() + 2 * lambda_ + floor * 1e-3).inverse();
  const auto solve = [inverse, v](const Matrix& m) -> Matrix { return (m * v).cwiseProduct(inverse) * v.transpose(); };

  Matrix unit = Matrix::Zero(k, k + 1);
  unit.leftCols(k).setIdentity();
  Matrix u = solve(unit);  // row c: A_c^-1 e_c
  unit.setZero();
  unit.col(k).setOnes();
  Matrix t = solve(unit);  // row c: the same for the intercept, after the first correction
  const double change = 2 * (mu_ - lambda_);
  Eigen::VectorXd a(k), b(k);
  for (Index c = 0; c < k; ++c) {
    a(c) = -2 * lambda_ / std::max(1e-9, 1 - 2 * lambda_ * u(c, c));
    t.row(c) -= a(c) * t(c, c) * u.row(c);
    b(c) = change / std::max(1e-9, 1 + change * t(c, k));
  }
  return [k, solve, u = std::move(u), t = std::move(t), a = std::move(a), b = std::move(b)](std::span<double> r) {
    Eigen::Map<Matrix> m(r.data(), k, k + 1);
    Matrix out = solve(m);
    for (Index c = 0; c < k; ++c) {
      out.row(c) -= a(c) * out(c, c) * u.row(c);
      out.row(c) -= b(c) * out(c, k) * t.row(c);
    }
    m = out;
  };
}

std::function<void(std::span<double>)> AffineProblem::preconditioner(std::span<const double> at) const {
  if (!task_.diagonal) return k_ <= block_classes && !cache_.empty() ? block_preconditioner(at) : shared_preconditioner(at);
  const auto k = static_cast<Index>(k_);
  const Eigen::VectorXd spread = over_blocks([&](const Block& block, Part& part) {
    Matrix q = probabilities(block, at, part.loss);
    for (std::size_t i = 0; i < block.count; ++i) {
      auto row = q.row(static_cast<Index>(i)).array();
      row = share(block.first + i) * row * (1 - row);
    }
    if (part.diagonal.size() == 0) part.diagonal.setZero(2 * k);
    part.diagonal.head(k) += q.cwiseProduct(block.x.leftCols(k).cwiseAbs2()).colwise().sum().transpose();
    part.diagonal.tail(k) += q.colwise().sum().transpose();
  }).diagonal;
  Eigen::VectorXd inverse = (spread.array() + 1e-6 * spread.tail(k).mean() + 1e-12).inverse();
  return [inverse = std::move(inverse)](std::span<double> r) {
    Eigen::Map<Eigen::VectorXd>(r.data(), static_cast<Index>(r.size())).array() *= inverse.array();
  };
}

}  // namespace tare::fit
