#include "tare/fit/logistic.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/exact/moments.hpp"
#include "tare/numeric/order/order.hpp"
#include "tare/numeric/parallel.hpp"

namespace tare::inner::fit {
namespace {

using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

// Exact sum of numbers in [-1, 1] with whole masses, in units of 2^-62.
struct UnitSum {
  numeric::i128 total = 0;
  void add(double v, std::int64_t mass) {
    total += static_cast<numeric::i128>(static_cast<std::int64_t>(v * 0x1p62)) * mass;
  }
};

// The same for losses of any size, in the problem's own unit; what exceeds 2^20 only has to look large.
struct LossSum {
  numeric::i128 total = 0;
  void add(double loss, double scale, std::int64_t mass) {
    total += static_cast<numeric::i128>(std::min(loss, 0x1p20) * scale) * mass;
  }
};

// Sums over rows; the last feature is the constant 1.
struct Sums {
  LossSum loss;
  std::array<UnitSum, 3> gradient;
  std::array<UnitSum, 6> curvature;  // lower triangle by rows
  void merge(const Sums& other) {
    loss.total += other.loss.total;
    for (std::size_t i = 0; i < 3; ++i) gradient[i].total += other.gradient[i].total;
    for (std::size_t i = 0; i < 6; ++i) curvature[i].total += other.curvature[i].total;
  }
};

struct State {
  Vector theta;  // of the scaled features
  double loss = 0;
  Vector gradient;
  Matrix curvature;
};

// Features divided by a power of two into [-1, 1], so that their sums fit fixed point.
class LogisticProblem {
 public:
  LogisticProblem(const LogisticData& data, int threads) : data_(data), threads_(threads), d_(data.x.size()) {
    const std::uint64_t unit = numeric::mass_unit(data.weight);
    numeric::u128 total = 0;
    if (data.weight.empty())
      total = data.label.size();
    else
      for (const double w : data.weight) {
        numeric::stop_if_asked_at(mass_.size());
        mass_.push_back(static_cast<std::int64_t>(numeric::to_mass(w, unit)));
        total += static_cast<numeric::u128>(mass_.back());
      }
    total_ = static_cast<double>(total);
    // 2^-52, or as much coarser as a mass beyond 2^54 needs to stay below 2^126
    loss_scale_ = std::min(0x1p52, 0x1p106 / numeric::power_of_two_above(total_));
    for (const auto& column : data.x) {
      double largest = 0;
      for (std::size_t i = 0; i < column.size(); ++i)
        if (mass_of(i) > 0) largest = std::max(largest, std::abs(column[i]));
      scale_.push_back(largest > 0 ? numeric::power_of_two_above(largest) : 1);
    }
    scale_.push_back(1);
  }

  [[nodiscard]] std::size_t size() const { return d_ + 1; }
  [[nodiscard]] double scale(std::size_t j) const { return scale_[j]; }

  [[nodiscard]] State at(const Vector& theta) const {
    constexpr std::size_t chunk = 16384;
    const std::size_t n = data_.label.size(), chunks = (n + chunk - 1) / chunk;
    std::vector<Sums> parts(chunks);
    numeric::parallel_for(chunks, threads_, [&](std::size_t c) {
      for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) add(theta, i, parts[c]);
    });
    for (std::size_t c = 1; c < chunks; ++c) parts[0].merge(parts[c]);
    State s{theta, static_cast<double>(parts[0].loss.total) / loss_scale_ / total_, Vector(size()),
            Matrix(size(), size())};
    for (std::size_t j = 0, at = 0; j < size(); ++j) {
      s.gradient[index(j)] = value(parts[0].gradient[j]);
      for (std::size_t l = 0; l <= j; ++l, ++at)
        s.curvature(index(j), index(l)) = s.curvature(index(l), index(j)) = value(parts[0].curvature[at]);
    }
    return s;
  }

  static Eigen::Index index(std::size_t j) { return static_cast<Eigen::Index>(j); }

 private:
  [[nodiscard]] double value(const UnitSum& sum) const { return static_cast<double>(sum.total) * 0x1p-62 / total_; }

  [[nodiscard]] std::int64_t mass_of(std::size_t i) const { return mass_.empty() ? 1 : mass_[i]; }

  void add(const Vector& theta, std::size_t i, Sums& sums) const {
    const std::int64_t mass = mass_of(i);
    if (mass == 0) return;  // may lie outside the scale
    std::array<double, 3> x{};
    double eta = 0;
    for (std::size_t j = 0; j < d_; ++j) {
      x[j] = data_.x[j][i] / scale_[j];
      eta += theta[index(j)] * x[j];
    }
    x[d_] = 1;
    eta += theta[index(d_)];
    const double e = std::exp(-std::abs(eta)), t = data_.label[i] ? data_.target_1 : data_.target_0;
    const double h = e / ((1 + e) * (1 + e));
    // q - t without cancellation for t = 1: sigma(eta) - 1 = -sigma(-eta)
    const double small = e / (1 + e);
    const double residual = eta >= 0 ? (1 - t) - small : small - t;
    const double loss = std::log1p(e) + (eta >= 0 ? (1 - t) * eta : -t * eta);
    sums.loss.add(loss, loss_scale_, mass);
    for (std::size_t j = 0, at = 0; j <= d_; ++j) {
      sums.gradient[j].add(residual * x[j], mass);
      for (std::size_t l = 0; l <= j; ++l, ++at) sums.curvature[at].add(h * x[j] * x[l], mass);
    }
  }

  const LogisticData& data_;
  int threads_;
  std::size_t d_;
  std::vector<double> scale_;
  std::vector<std::int64_t> mass_;
  double total_ = 0;  // mass
  double loss_scale_ = 0x1p52;
};

// A slope at 0 that would fall below is held there.
bool held(const State& s, std::size_t j, bool nonnegative) {
  const auto at = LogisticProblem::index(j);
  return nonnegative && at + 1 < s.theta.size() && s.theta[at] <= 0 && s.gradient[at] > 0;
}

// Largest component of the gradient that may still be followed, in the caller's units.
double norm(const LogisticProblem& problem, const State& s, bool nonnegative) {
  double out = 0;
  for (std::size_t j = 0; j < problem.size(); ++j)
    if (!held(s, j, nonnegative))
      out = std::max(out, std::abs(s.gradient[LogisticProblem::index(j)]) * problem.scale(j));
  return out;
}

// Newton's direction among the parameters that are free. Directions in which the data say nothing (fewer distinct
// scores than parameters) are left alone.
Vector direction(const State& s, bool nonnegative) {
  std::vector<Eigen::Index> open;
  for (std::size_t j = 0; j < static_cast<std::size_t>(s.theta.size()); ++j)
    if (!held(s, j, nonnegative)) open.push_back(LogisticProblem::index(j));
  const auto m = static_cast<Eigen::Index>(open.size());
  Matrix h(m, m);
  Vector g(m), size(m);
  for (Eigen::Index j = 0; j < m; ++j) {
    const auto from = open[static_cast<std::size_t>(j)];
    size[j] = std::sqrt(s.curvature(from, from));
    g[j] = size[j] > 0 ? s.gradient[from] / size[j] : 0;
    for (Eigen::Index l = 0; l < m; ++l) h(j, l) = s.curvature(from, open[static_cast<std::size_t>(l)]);
  }
  for (Eigen::Index j = 0; j < m; ++j)
    for (Eigen::Index l = 0; l < m; ++l) h(j, l) = size[j] > 0 && size[l] > 0 ? h(j, l) / (size[j] * size[l]) : 0;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(h);
  Vector along = eigen.eigenvectors().transpose() * -g;
  for (Eigen::Index j = 0; j < m; ++j)
    along[j] = eigen.eigenvalues()[j] > 1e-13 ? along[j] / eigen.eigenvalues()[j] : 0;
  const Vector step = eigen.eigenvectors() * along;
  Vector out = Vector::Zero(s.theta.size());
  for (Eigen::Index j = 0; j < m; ++j)
    if (size[j] > 0) out[open[static_cast<std::size_t>(j)]] = step[j] / size[j];
  return out;
}

Vector start(const LogisticData& data, std::size_t size) {
  const std::uint64_t unit = numeric::mass_unit(data.weight);
  numeric::u128 ones = 0, all = 0;
  for (std::size_t i = 0; i < data.label.size(); ++i) {
    numeric::stop_if_asked_at(i);
    const std::uint64_t mass = data.weight.empty() ? 1 : numeric::to_mass(data.weight[i], unit);
    all += mass;
    if (data.label[i]) ones += mass;
  }
  const double share = static_cast<double>(ones) / static_cast<double>(all);
  const double t = share * data.target_1 + (1 - share) * data.target_0;
  Vector theta = Vector::Zero(LogisticProblem::index(size));
  theta[LogisticProblem::index(size - 1)] = std::log(t) - std::log1p(-t);
  return theta;
}

}  // namespace

LogisticFit fit_logistic(const LogisticData& data, const LogisticOptions& options) {
  const LogisticProblem problem(data, options.threads);
  const bool nonnegative = options.nonnegative;
  State s = problem.at(start(data, problem.size()));
  double gradient = norm(problem, s, nonnegative);
  LogisticFit out;
  while (gradient > 1e-14 && out.iterations < options.max_iterations) {
    const Vector step = direction(s, nonnegative);
    // far below what is certified only the full step is worth a pass over the data
    const double shortest = gradient < certified_gradient * 1e-3 ? 1 : 0x1p-40;
    bool moved = false;
    for (double t = 1; t >= shortest && !moved; t /= 2) {
      Vector theta = s.theta + t * step;
      if (nonnegative)
        for (Eigen::Index j = 0; j + 1 < theta.size(); ++j) theta[j] = std::max(theta[j], 0.0);
      State next = problem.at(theta);
      const double next_gradient = norm(problem, next, nonnegative);
      const double promised = s.gradient.dot(theta - s.theta);
      const bool falls = next.loss < s.loss && next.loss <= s.loss + 1e-4 * promised;
      // at the bottom the loss is flat to rounding: there the gradient decides
      const bool flat = next.loss <= s.loss + 1e-14 * (1 + s.loss) && next_gradient < gradient;
      if (!falls && !flat) continue;
      s = std::move(next);
      gradient = next_gradient;
      moved = true;
    }
    if (!moved) break;
    ++out.iterations;
  }
  out.gradient = gradient;
  for (std::size_t j = 0; j + 1 < problem.size(); ++j) {
    out.slope.push_back(s.theta[LogisticProblem::index(j)] / problem.scale(j));
    out.at_bound = out.at_bound || held(s, j, nonnegative);
  }
  out.intercept = s.theta[LogisticProblem::index(problem.size() - 1)];
  return out;
}

}  // namespace tare::inner::fit
