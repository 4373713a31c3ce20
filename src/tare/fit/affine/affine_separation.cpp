#include "tare/fit/affine/affine_separation.hpp"

#include <Eigen/Cholesky>

namespace tare::detail::fit {

using Eigen::Index;

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
