#include "tare/fit/affine/affine_curvature.hpp"

namespace tare::detail::fit {

using Eigen::Index;

namespace {

constexpr std::size_t kept_numbers = std::size_t{1} << 26;  // 512 MB of probabilities; beyond, they are made anew
// Making the preconditioner costs about as much as this many products: it is used until it has cost as much again.
constexpr int worth_a_preconditioner = 20;
constexpr double negligible = 1e-10;  // probabilities that add nothing to a product

}  // namespace

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
