#include "tare/infer/tests/smooth_basis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tare::detail::infer {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double least_norm = 1e-7;  // below: no new direction, as when there are as many terms as scores

}  // namespace

// Gram-Schmidt, twice against rounding.
MatrixXd orthonormal_polynomials(const VectorXd& x, const VectorXd& v, std::size_t terms) {
  const double low = x.minCoeff(), width = x.maxCoeff() - low, total = v.sum();
  const VectorXd share = v / total;
  const VectorXd place =
      width > 0 ? VectorXd((2 * (x.array() - low) / width - 1).matrix()) : VectorXd(VectorXd::Zero(x.size()));
  MatrixXd out(x.size(), static_cast<Index>(terms));
  out.col(0).setOnes();
  Index k = 1;
  for (; k < out.cols(); ++k) {
    VectorXd f = place.cwiseProduct(out.col(k - 1));
    const auto before = out.leftCols(k);
    for (int again = 0; again < 2; ++again) f -= before * (before.transpose() * share.cwiseProduct(f)).eval();
    const double norm = std::sqrt(f.cwiseAbs2().dot(share));
    if (!(norm > least_norm)) break;
    out.col(k) = f / norm;
  }
  return out.leftCols(k) / std::sqrt(total);
}

SmoothBasis::SmoothBasis(const numeric::Ordered& data, int) {
  std::size_t last = data.groups();
  if (last > 0 && data.score(0) == 0) first_ = 1;
  if (last > first_ && data.score(last - 1) == 1) --last;
  if (last == first_) return;
  const std::size_t groups = last - first_;
  const double unit = static_cast<double>(data.unit());
  VectorXd v(static_cast<Index>(groups)), rank(v.size());
  for (std::size_t i = 0; i < groups; ++i) {
    const double s = data.score(first_ + i);
    v[static_cast<Index>(i)] = static_cast<double>(data.mass(first_ + i)) / unit * s * (1 - s);
    rank[static_cast<Index>(i)] =
        (static_cast<double>(data.mass_before(first_ + i)) + static_cast<double>(data.mass_before(first_ + i + 1))) /
        (2 * unit);
  }
  const double all = v.sum();
  VectorXd time(v.size());
  double before = 0;
  std::size_t part = equal_cells;  // of the cell that is filled; at first there is none
  for (Index i = 0; i < v.size(); ++i) {
    time[i] = (before + v[i] / 2) / all;
    before += v[i];
    const std::size_t at = static_cast<std::size_t>(i);
    const auto here = std::min(static_cast<std::size_t>(time[i] * equal_cells), equal_cells - 1);
    if (std::exchange(part, here) != here) cells_.push_back({at, at, 0});
    cells_.back().to = at + 1;
    cells_.back().information += v[i];
  }
  phi_ = orthonormal_polynomials(time, v, groups <= few_scores ? groups : most_terms);
  psi_ = orthonormal_polynomials(rank, v, rank_terms);
}

SmoothBasis::~SmoothBasis() = default;

}  // namespace tare::detail::infer
