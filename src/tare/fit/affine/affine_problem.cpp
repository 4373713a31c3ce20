#include "tare/fit/affine/affine_problem.hpp"

#include <Eigen/Cholesky>

#include "tare/fit/one_vs_rest.hpp"
#include "tare/numeric/order/row_order.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::detail::fit {
namespace {

using Eigen::Index;

constexpr std::size_t cached_numbers = std::size_t{1} << 27;  // 1 GB of features; beyond, blocks are made anew

}  // namespace

AffineProblem::AffineProblem(const MulticlassView& view, const AffineTask& task, int threads)
    : view_(view),
      task_(task),
      threads_(threads),
      k_(feature_count(view.columns())),
      block_rows_(std::clamp<std::size_t>((std::size_t{1} << 17) / k_, 16, 512)),
      order_(numeric::row_order({view.values(), view.columns(), view.label(), view.weight()}, 0, threads)) {
  const std::size_t n = view.size();
  double total = 0;
  for (const std::size_t i : order_) {
    label_.push_back(view.label()[i]);
    share_.push_back(view.weight().empty() ? 1 : view.weight()[i]);
    total += share_.back();
  }
  for (double& w : share_) w /= total;
  if (n * (k_ + 1) <= cached_numbers) {
    cache_.resize(n * (k_ + 1));
    numeric::parallel_for((n + block_rows_ - 1) / block_rows_, threads, [&](std::size_t c) {
      fill(c * block_rows_, std::min(block_rows_, n - c * block_rows_), cache_.data() + c * block_rows_ * (k_ + 1));
    });
  }
  const auto d = static_cast<double>(k_);
  const double square =
      over_blocks([&](const Block& b, BlockSums& p) {
        for (std::size_t i = 0; i < b.count; ++i)
          p.loss += share_[b.first + i] * b.x.row(static_cast<Index>(i)).head(static_cast<Index>(k_)).squaredNorm() / d;
      }).loss;
  if (square > 0) scale_ = std::exp2(std::round(std::log2(std::sqrt(square))));  // a power of two: no rounding
  for (double& x : cache_) x /= scale_;
  for (std::size_t i = 0; !cache_.empty() && i < n; ++i) cache_[i * (k_ + 1) + k_] = 1;
  lambda_ = task.lambda / (d * (d - 1)) / scale_ / scale_;
  mu_ = task.mu / d;
}

void AffineProblem::fill(std::size_t first, std::size_t count, double* out) const {
  const std::size_t stride = k_ + 1;
  for (std::size_t i = 0; i < count; ++i) {
    fill_features(rows_of(view_.values(), view_.columns(), order_[first + i], 1), view_.columns(), view_.kind(),
                  task_.features, {out + i * stride, stride}, stride);
    for (std::size_t j = 0; j < k_; ++j) out[i * stride + j] /= scale_;
    out[i * stride + k_] = 1;
  }
}

AffineProblem::Matrix AffineProblem::probabilities(const Block& block, std::span<const double> x, double& loss) const {
  const auto k = static_cast<Index>(k_), rows = static_cast<Index>(block.count);
  Matrix u(rows, k);
  if (task_.diagonal) {
    const Eigen::Map<const Eigen::RowVectorXd> w(x.data(), k), b(x.data() + k_, k);
    u = (block.x.leftCols(k).array().rowwise() * w.array()).rowwise() + b.array();
  } else {
    u.noalias() = block.x * Eigen::Map<const Matrix>(x.data(), k, k + 1).transpose();
  }
  std::vector<double> of_label(block.count), normaliser(block.count);
  for (Index i = 0; i < rows; ++i) {
    const std::size_t at = block.first + static_cast<std::size_t>(i);
    of_label[static_cast<std::size_t>(i)] = u(i, label_[at]);
  }
  numeric::softmax_in_place({u.data(), block.count * k_}, k_, normaliser.data());
  for (std::size_t i = 0; i < block.count; ++i) loss += share_[block.first + i] * (normaliser[i] - of_label[i]);
  return u;
}

void AffineProblem::add_gradient(const Block& block, const Matrix& residual, Eigen::VectorXd& gradient) const {
  const auto k = static_cast<Index>(k_);
  if (gradient.size() == 0) gradient.setZero(static_cast<Index>(size()));
  if (task_.diagonal) {
    gradient.head(k) += residual.cwiseProduct(block.x.leftCols(k)).colwise().sum().transpose();
    gradient.tail(k) += residual.colwise().sum().transpose();
  } else {
    Eigen::Map<Matrix>(gradient.data(), k, k + 1).noalias() += residual.transpose() * block.x;
  }
}

// Hessian = blocks of mean q_c x x^T on the diagonal, minus mean u u^T with u = q (x) x: rank-one terms of all
// classes at once, as one product of matrices.
void AffineProblem::add_hessian(const Block& block, const Matrix& q, Eigen::MatrixXd& h) const {
  const auto k = static_cast<Index>(k_), rows = static_cast<Index>(block.count), d = static_cast<Index>(size());
  if (h.size() == 0) h.setZero(d, d);
  Matrix u(rows, d);
  Eigen::VectorXd root(rows);
  for (Index i = 0; i < rows; ++i) root(i) = std::sqrt(share_[block.first + static_cast<std::size_t>(i)]);
  if (task_.diagonal) {
    u << q.cwiseProduct(block.x.leftCols(k)), q;
    for (Index c = 0; c < k; ++c) {
      const Eigen::ArrayXd w = root.array().square() * q.col(c).array(), x = block.x.col(c).array();
      h(c, c) += (w * x * x).sum();
      h(c, k + c) += (w * x).sum();
      h(k + c, k + c) += w.sum();
    }
  } else {
    for (Index c = 0; c < k; ++c) {
      u.middleCols(c * (k + 1), k + 1) = block.x.array().colwise() * q.col(c).array();
      const Matrix x = block.x.array().colwise() * (root.array() * q.col(c).array().sqrt());
      h.block(c * (k + 1), c * (k + 1), k + 1, k + 1).selfadjointView<Eigen::Upper>().rankUpdate(x.transpose());
    }
  }
  u.array().colwise() *= root.array();
  h.selfadjointView<Eigen::Upper>().rankUpdate(u.transpose(), -1);
}

double AffineProblem::add_penalty_slope(std::span<const double> x, std::span<double> gradient) const {
  if (task_.diagonal) return 0;
  double total = 0;
  for (std::size_t c = 0; c < k_; ++c) {
    for (std::size_t j = 0; j <= k_; ++j) {
      const double strength = j == k_ ? mu_ : j == c ? 0 : lambda_;
      const std::size_t at = c * (k_ + 1) + j;
      total += strength * x[at] * x[at];
      gradient[at] += 2 * strength * x[at];
    }
  }
  return total;
}

// Without a penalty a number added to all intercepts, or to a column of W, changes nothing: some curvature along
// such a direction, in which the gradient is 0, keeps steps out of it.
void AffineProblem::add_penalty(Eigen::Ref<Eigen::MatrixXd> h) const {
  const double gauge = 1 / static_cast<double>(k_);
  for (std::size_t j = task_.diagonal ? k_ : 0; j <= k_; ++j) {
    const double strength = j == k_ ? mu_ : lambda_;
    for (std::size_t c = 0; c < k_; ++c) {
      const auto at = [&](std::size_t r) { return static_cast<Index>(j == k_ ? intercept_at(r) : weight_at(r, j)); };
      if (j != c) h(at(c), at(c)) += 2 * strength;
      for (std::size_t r = 0; strength == 0 && r <= c; ++r) h(at(r), at(c)) += gauge;
    }
  }
}

double AffineProblem::operator()(std::span<const double> x, std::span<double> gradient) const {
  const BlockSums p = over_blocks([&](const Block& block, BlockSums& part) {
    Matrix r = probabilities(block, x, part.loss);
    for (std::size_t i = 0; i < block.count; ++i) {
      const auto row = static_cast<Index>(i);
      r(row, label_[block.first + i]) -= 1;
      r.row(row) *= share_[block.first + i];
    }
    add_gradient(block, r, part.gradient);
  });
  Eigen::Map<Eigen::VectorXd>(gradient.data(), static_cast<Index>(size())) = p.gradient;
  return p.loss + add_penalty_slope(x, gradient);
}

double AffineProblem::operator()(std::span<const double> x, std::span<double> gradient,
                                 std::span<double> hessian) const {
  const double value = (*this)(x, gradient);
  const auto d = static_cast<Index>(size());
  Eigen::Map<Eigen::MatrixXd> h(hessian.data(), d, d);
  h = over_blocks([&](const Block& block, BlockSums& part) {
        double loss = 0;
        add_hessian(block, probabilities(block, x, loss), part.hessian);
      }).hessian;
  add_penalty(h);
  return value;
}

double AffineProblem::nll(std::span<const double> x) const {
  return over_blocks([&](const Block& block, BlockSums& part) { probabilities(block, x, part.loss); }).loss;
}

std::vector<std::int32_t> Separation::top_labels(std::span<const double> x) const {
  std::vector<std::int32_t> top(p_.rows());
  p_.over_blocks([&](const AffineProblem::Block& block, AffineProblem::BlockSums& part) {
    const auto q = p_.probabilities(block, x, part.loss);
    for (std::size_t i = 0; i < block.count; ++i) {
      const auto row = q.row(static_cast<Index>(i));
      Index at = 0;
      const double largest = row.maxCoeff(&at);
      top[block.first + i] = (row.array() == largest).count() == 1 ? static_cast<std::int32_t>(at) : -1;
    }
  });
  return top;
}

bool Separation::all_rows_right(std::span<const double> x) const {
  const auto top = top_labels(x);
  for (std::size_t i = 0; i < top.size(); ++i)
    if (p_.share_[i] > 0 && top[i] != p_.label_[i]) return false;
  return true;
}

// Classes of which every row has the largest output there, and no other row has.
std::vector<std::size_t> Separation::all_right(std::span<const double> x) const {
  std::vector<char> right(p_.k_, 1), seen(p_.k_);
  const auto top = top_labels(x);
  for (std::size_t i = 0; i < top.size(); ++i) {
    if (p_.share_[i] == 0) continue;
    const auto y = static_cast<std::size_t>(p_.label_[i]);
    seen[y] = 1;
    if (top[i] == p_.label_[i]) continue;
    right[y] = 0;
    if (top[i] >= 0) right[static_cast<std::size_t>(top[i])] = 0;
  }
  std::vector<std::size_t> out;
  for (std::size_t c = 0; c < p_.k_; ++c)
    if (right[c] && seen[c]) out.push_back(c);
  return out;
}

// Newton's method for the squared hinge loss, sum of max(0, 1 - s v.x)^2 with s = +1 for the class and -1 for the
// others: its minimum is 0 where, and only where, the class is separable (Mangasarian 2002).
bool Separation::separable(std::size_t c) const {
  const auto d = static_cast<Index>(p_.k_ + 1), n = static_cast<Index>(p_.rows());
  const Eigen::Map<const AffineProblem::Matrix> x(p_.cache_.data(), n, d);
  Eigen::VectorXd side(n), margin = Eigen::VectorXd::Zero(n), v = Eigen::VectorXd::Zero(d);
  for (Index i = 0; i < n; ++i)
    side(i) = p_.label_[static_cast<std::size_t>(i)] == static_cast<std::int32_t>(c) ? 1 : -1;
  const auto counts = [&](Index i) { return p_.share_[static_cast<std::size_t>(i)] > 0; };
  const auto loss = [&](const Eigen::VectorXd& m) {
    double sum = 0;
    for (Index i = 0; i < n; ++i)
      if (counts(i) && m(i) < 1) sum += (1 - m(i)) * (1 - m(i));
    return sum;
  };
  for (int iteration = 0; iteration < 30; ++iteration) {
    numeric::stop_if_asked();
    AffineProblem::Matrix active(n, d);
    Eigen::VectorXd want(n);
    Index rows = 0;
    bool done = iteration > 0;
    for (Index i = 0; i < n; ++i) {
      // far above the rounding of the product
      done = done && (!counts(i) || margin(i) > 1e-9 * x.row(i).cwiseAbs().dot(v.cwiseAbs()));
      if (!counts(i) || margin(i) >= 1) continue;
      active.row(rows) = x.row(i);
      want(rows++) = side(i);
    }
    if (done) return true;
    if (rows == 0) return false;
    Eigen::MatrixXd h = Eigen::MatrixXd::Zero(d, d);
    h.selfadjointView<Eigen::Lower>().rankUpdate(active.topRows(rows).transpose());
    h.diagonal().array() += 1e-13 * h.diagonal().maxCoeff();
    const Eigen::VectorXd step =
        h.selfadjointView<Eigen::Lower>().llt().solve(active.topRows(rows).transpose() * want.head(rows)) - v;
    const Eigen::VectorXd change = (x * step).cwiseProduct(side);
    const double before = loss(margin);
    double length = 1;
    while (length > 1e-6 && !(loss(margin + length * change) < before)) length /= 2;
    if (length <= 1e-6) return false;
    v += length * step;
    margin += length * change;
  }
  return false;
}

std::optional<std::size_t> Separation::find(std::span<const double> x) const {
  for (const std::size_t c : all_right(x))  // each costs a few values of the objective
    if (separable(c)) return c;
  return std::nullopt;
}

}  // namespace tare::detail::fit
