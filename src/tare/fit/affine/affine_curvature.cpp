#include "tare/fit/affine/affine_curvature.hpp"

#include <Eigen/Cholesky>
#include <memory>

#include "tare/numeric/solve/symmetric.hpp"

namespace tare::detail::fit {

using Eigen::Index;

namespace {

constexpr std::size_t block_classes = 200;                  // 64 MB
constexpr std::size_t kept_numbers = std::size_t{1} << 26;  // 512 MB of probabilities; beyond, they are made anew
// Making the preconditioner costs about as much as this many products: it is used until it has cost as much again.
constexpr int worth_a_preconditioner = 20;
constexpr double negligible = 1e-10;  // probabilities that add nothing to a product

}  // namespace

bool AffinePreconditioner::by_blocks() const { return p_.k_ <= block_classes && !p_.cache_.empty(); }

// The blocks of the Hessian on its diagonal, one per class: mean q (1 - q) x x^T plus the penalty.
void AffinePreconditioner::sum_blocks(std::span<const double> at) {
  const auto k = static_cast<Index>(p_.k_), n = static_cast<Index>(p_.rows());
  Matrix spread(n, k);
  p_.over_blocks([&](const AffineProblem::Block& block, AffineProblem::BlockSums& part) {
    const Matrix q = p_.probabilities(block, at, part.loss);
    const auto first = static_cast<Index>(block.first), count = static_cast<Index>(block.count);
    for (Index i = 0; i < count; ++i)
      spread.row(first + i) =
          p_.share_[block.first + static_cast<std::size_t>(i)] * (q.row(i).array() * (1 - q.row(i).array()));
  });
  const Eigen::Map<const Matrix> x(p_.cache_.data(), n, k + 1);
  blocks_.resize(p_.k_);
  numeric::parallel_for(p_.k_, p_.threads_, [&](std::size_t c) {
    const auto column = static_cast<Index>(c);
    // rows that hardly know the class add nothing
    const double least = 1e-6 * spread.col(column).maxCoeff();
    Matrix weighted(std::min<Index>(n, 4096), k + 1);
    Index rows = 0;
    Eigen::MatrixXd& h = blocks_[c];
    h.setZero(k + 1, k + 1);
    const auto add_rows = [&] {
      numeric::stop_if_asked();
      if (rows == 0) return;  // Eigen divides by the number of rows when it cuts the product into blocks
      h.selfadjointView<Eigen::Lower>().rankUpdate(weighted.topRows(rows).transpose());
      rows = 0;
    };
    for (Index i = 0; i < n; ++i) {
      if (spread(i, column) > least) weighted.row(rows++) = std::sqrt(spread(i, column)) * x.row(i);
      if (rows == weighted.rows()) add_rows();
    }
    add_rows();
    h.diagonal().head(k).array() += 2 * p_.lambda_;
    h(column, column) -= 2 * p_.lambda_;
    h(k, k) += 2 * p_.mu_;
  });
}

void AffinePreconditioner::factor_blocks(double damping) {
  const auto k = static_cast<Index>(p_.k_);
  auto factor = std::make_shared<std::vector<Eigen::LLT<Eigen::MatrixXd>>>(p_.k_);
  if (damping > 0) moments();
  numeric::parallel_for(p_.k_, p_.threads_, [&](std::size_t c) {
    Eigen::MatrixXd h = blocks_[c];
    if (damping > 0) h += damping * moments_;
    const double size = h.diagonal().maxCoeff();
    for (double more = damping > 0 ? 1e-15 : 1e-9;; more *= 100) {  // the last one is the identity to rounding
      Eigen::MatrixXd held = h;
      held.diagonal().array() += more * size + (damping > 0 ? 1e-300 : 1e-12);
      (*factor)[c].compute(held);
      if ((*factor)[c].info() == Eigen::Success || more > 1e20) break;
    }
  });
  apply_ = [k, factor](std::span<double> r) {
    Eigen::Map<Matrix> m(r.data(), k, k + 1);
    for (Index c = 0; c < k; ++c)
      m.row(c) = (*factor)[static_cast<std::size_t>(c)].solve(m.row(c).transpose()).transpose();
  };
}

const Eigen::MatrixXd& AffinePreconditioner::moments() {
  const auto k = static_cast<Index>(p_.k_);
  if (moments_.size() == 0)
    moments_ =
        p_.over_blocks([&](const AffineProblem::Block& block, AffineProblem::BlockSums& part) {
            const Eigen::Map<const Eigen::VectorXd> w(p_.share_.data() + block.first, static_cast<Index>(block.count));
            if (part.moments.size() == 0) part.moments.setZero(k + 1, k + 1);
            part.moments.noalias() += block.x.transpose() * (block.x.array().colwise() * w.array()).matrix();
          }).moments;
  return moments_;
}

void AffinePreconditioner::sum_spread(std::span<const double> at) {
  spread_ =
      p_.over_blocks([&](const AffineProblem::Block& block, AffineProblem::BlockSums& part) {
          const Matrix q = p_.probabilities(block, at, part.loss);
          const Eigen::Map<const Eigen::VectorXd> w(p_.share_.data() + block.first, static_cast<Index>(block.count));
          if (part.diagonal.size() == 0) part.diagonal.setZero(static_cast<Index>(p_.k_));
          part.diagonal += ((q.array() * (1 - q.array())).colwise() * w.array()).matrix().colwise().sum().transpose();
        }).diagonal;
  if (axes_.size() != 0) return;
  const numeric::Axes axes = numeric::axes_of(moments());
  axes_ = axes.vectors;
  eigenvalues_ = axes.values.cwiseMax(0);
}

// Block c is A_c and two corrections: A_c = mean(q_c (1 - q_c)) M + 2 lambda I is diagonal on the axes of M, but
// the diagonal entry of W has no penalty and the intercept another (Sherman & Morrison, once for each).
void AffinePreconditioner::factor_shared(double damping) {
  const auto k = static_cast<Index>(p_.k_);
  const double floor = 1e-6 * spread_.mean() + 1e-12, lambda = p_.lambda_;
  Matrix inverse = (spread_.array() + std::max(floor, damping)).matrix() * eigenvalues_.transpose();
  inverse = (inverse.array() + 2 * lambda + floor * 1e-3).inverse();
  const auto solve = [inverse, v = axes_](const Matrix& m) -> Matrix {
    return (m * v).cwiseProduct(inverse) * v.transpose();
  };

  Matrix unit = Matrix::Zero(k, k + 1);
  unit.leftCols(k).setIdentity();
  Matrix u = solve(unit);  // row c: A_c^-1 e_c
  unit.setZero();
  unit.col(k).setOnes();
  Matrix t = solve(unit);  // row c: the same for the intercept, after the first correction
  const double change = 2 * (p_.mu_ - lambda);
  Eigen::VectorXd a(k), b(k);
  for (Index c = 0; c < k; ++c) {
    a(c) = -2 * lambda / std::max(1e-9, 1 - 2 * lambda * u(c, c));
    t.row(c) -= a(c) * t(c, c) * u.row(c);
    b(c) = change / std::max(1e-9, 1 + change * t(c, k));
  }
  apply_ = [k, solve, u = std::move(u), t = std::move(t), a = std::move(a), b = std::move(b)](std::span<double> r) {
    Eigen::Map<Matrix> m(r.data(), k, k + 1);
    Matrix out = solve(m);
    for (Index c = 0; c < k; ++c) {
      out.row(c) -= a(c) * out(c, c) * u.row(c);
      out.row(c) -= b(c) * out(c, k) * t.row(c);
    }
    m = out;
  };
}

void AffinePreconditioner::invert_diagonal(std::span<const double> at) {
  const auto k = static_cast<Index>(p_.k_);
  const Eigen::VectorXd spread = p_.over_blocks([&](const AffineProblem::Block& block, AffineProblem::BlockSums& part) {
                                     Matrix q = p_.probabilities(block, at, part.loss);
                                     for (std::size_t i = 0; i < block.count; ++i) {
                                       auto row = q.row(static_cast<Index>(i)).array();
                                       row = p_.share_[block.first + i] * row * (1 - row);
                                     }
                                     if (part.diagonal.size() == 0) part.diagonal.setZero(2 * k);
                                     part.diagonal.head(k) +=
                                         q.cwiseProduct(block.x.leftCols(k).cwiseAbs2()).colwise().sum().transpose();
                                     part.diagonal.tail(k) += q.colwise().sum().transpose();
                                   }).diagonal;
  Eigen::VectorXd inverse = (spread.array() + 1e-6 * spread.tail(k).mean() + 1e-12).inverse();
  apply_ = [inverse = std::move(inverse)](std::span<double> r) {
    Eigen::Map<Eigen::VectorXd>(r.data(), static_cast<Index>(r.size())).array() *= inverse.array();
  };
}

void AffinePreconditioner::move_to(std::span<const double> x) {
  if (p_.task_.diagonal)
    invert_diagonal(x);
  else if (by_blocks())
    sum_blocks(x);
  else
    sum_spread(x);
}

void AffinePreconditioner::prepare(double damping) {
  if (p_.task_.diagonal) return;
  if (by_blocks())
    factor_blocks(damping);
  else
    factor_shared(damping);
}

void AffinePreconditioner::add_damping(double damping, std::span<const double> v, std::span<double> out) {
  const auto k = static_cast<Index>(p_.k_);
  Eigen::Map<Matrix>(out.data(), k, k + 1).noalias() +=
      damping * Eigen::Map<const Matrix>(v.data(), k, k + 1) * moments();
}

AffineCurvature::AffineCurvature(const AffineProblem& problem) : p_(problem), preconditioner_(problem) {}
AffineCurvature::~AffineCurvature() = default;

void AffineCurvature::keep_probabilities() {
  const auto k = static_cast<Index>(p_.k_), n = static_cast<Index>(p_.rows());
  few_.clear();
  q_.resize(0, 0);
  if (p_.rows() * p_.k_ > kept_numbers) return;
  q_.resize(n, k);
  p_.over_blocks([&](const AffineProblem::Block& block, AffineProblem::BlockSums& part) {
    q_.middleRows(static_cast<Index>(block.first), static_cast<Index>(block.count)) =
        p_.probabilities(block, at_, part.loss);
  });
  if ((q_.array() > negligible).count() > n * k / 3) return;
  few_.resize(p_.rows());
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < k; ++c)
      if (q_(i, c) > negligible) few_[static_cast<std::size_t>(i)].push_back({static_cast<std::uint32_t>(c), q_(i, c)});
}

void AffineCurvature::move_to(std::span<const double> x) {
  at_.assign(x.begin(), x.end());
  keep_probabilities();
  if (products_ == 0 || products_ >= worth_a_preconditioner) {
    preconditioner_.move_to(at_);
    products_ = 0;
  }
}

// The same sums as in product(), over the entries that are kept.
void AffineCurvature::add_few(const AffineProblem::Block& block, const Eigen::Ref<const Matrix>& direction,
                              Eigen::VectorXd& gradient) const {
  const auto k = static_cast<Index>(p_.k_);
  if (gradient.size() == 0) gradient.setZero(static_cast<Index>(p_.size()));
  Eigen::Map<Matrix> out(gradient.data(), k, k + 1);
  std::vector<double> u;
  for (std::size_t i = 0; i < block.count; ++i) {
    const auto& row = few_[block.first + i];
    if (row.size() < 2) continue;  // one class is certain: no curvature
    const auto x = block.x.row(static_cast<Index>(i));
    u.clear();
    double mean = 0;
    for (const Entry& e : row) mean += e.q * u.emplace_back(x.dot(direction.row(e.column)));
    for (std::size_t j = 0; j < row.size(); ++j)
      out.row(row[j].column) += p_.share_[block.first + i] * row[j].q * (u[j] - mean) * x;
  }
}

void AffineCurvature::prepare(double damping) {
  damping_ = damping;
  preconditioner_.prepare(damping);
}

void AffineCurvature::product(std::span<const double> v, std::span<double> out) {
  ++products_;
  const auto k = static_cast<Index>(p_.k_);
  const Eigen::Map<const Matrix> direction(v.data(), k, k + 1);
  const Eigen::VectorXd sum =
      p_.over_blocks([&](const AffineProblem::Block& block, AffineProblem::BlockSums& part) {
          if (!few_.empty()) return add_few(block, direction, part.gradient);
          const auto first = static_cast<Index>(block.first), count = static_cast<Index>(block.count);
          Matrix made;
          if (q_.size() == 0) made = p_.probabilities(block, at_, part.loss);
          const Eigen::Ref<const Matrix> q =
              q_.size() == 0 ? Eigen::Ref<const Matrix>(made) : Eigen::Ref<const Matrix>(q_.middleRows(first, count));
          Matrix u(count, k);
          u.noalias() = block.x * direction.transpose();
          const Eigen::Map<const Eigen::VectorXd> share(p_.share_.data() + block.first, count);
          const Eigen::VectorXd mean = q.cwiseProduct(u).rowwise().sum();
          u.colwise() -= mean;
          u.array() *= q.array().colwise() * share.array();
          p_.add_gradient(block, u, part.gradient);
        }).gradient;
  Eigen::Map<Eigen::VectorXd>(out.data(), sum.size()) = sum;
  p_.add_penalty_slope(v, out);
  if (damping_ > 0) preconditioner_.add_damping(damping_, v, out);
}

}  // namespace tare::detail::fit
