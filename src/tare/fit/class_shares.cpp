#include "tare/fit/class_shares.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <optional>

namespace tare::inner::fit {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index newton_classes = 2000;
constexpr double gap_goal = 1e-12;

class ShareSearch {
 public:
  ShareSearch(const ShiftedRows& rows, std::span<const double> prior)
      : rows_(rows),
        prior_(Eigen::Map<const VectorXd>(prior.data(), static_cast<Index>(prior.size()))),
        least_(least_ratio * prior_) {}

  ClassShares run(int max_iterations);

 private:
  struct Point {
    VectorXd x;
    double value = 0;
    ShiftedRows::Moments moments = {};
    VectorXd slope = {};  // of the objective: 1 - mean q / x
  };

  [[nodiscard]] VectorXd log_ratio(const VectorXd& x) const { return (x.array() / prior_.array()).log(); }
  [[nodiscard]] Point look(const VectorXd& x) const;
  [[nodiscard]] double gap(const Point& at) const;
  [[nodiscard]] VectorXd newton_step(const Point& at) const;
  [[nodiscard]] std::optional<Point> improved(const Point& from, const VectorXd& step, double length,
                                              double shortest) const;
  [[nodiscard]] std::optional<Point> em_step(const Point& from);

  const ShiftedRows& rows_;
  VectorXd prior_, least_;
  double stretch_ = 1;  // of steps of EM
};

ShareSearch::Point ShareSearch::look(const VectorXd& x) const {
  const VectorXd b = log_ratio(x);
  Point out{.x = x};
  out.moments = rows_.at({b.data(), static_cast<std::size_t>(b.size())}, x.size() <= newton_classes);
  out.value = x.sum() - out.moments.value;
  out.slope = 1 - out.moments.mean.array() / x.array();
  return out;
}

double ShareSearch::gap(const Point& at) const {
  double rising = 0, falling = 0;
  for (Index c = 0; c < at.x.size(); ++c) {
    falling = std::max(falling, -at.slope(c));
    rising += std::max(at.slope(c), 0.0) * (at.x(c) - least_(c));
  }
  return std::max(falling, rising);
}

// Among the classes that are not held at their bound, as multiples of their shares.
VectorXd ShareSearch::newton_step(const Point& at) const {
  const Index k = at.x.size();
  std::vector<char> held(static_cast<std::size_t>(k));
  const auto bound = [&](Index c) { return at.x(c) <= least_(c); };
  for (Index c = 0; c < k; ++c) held[static_cast<std::size_t>(c)] = bound(c) && at.slope(c) > 0;
  for (;;) {
    std::vector<Index> free;
    for (Index c = 0; c < k; ++c)
      if (!held[static_cast<std::size_t>(c)]) free.push_back(c);
    VectorXd out = VectorXd::Zero(k);
    if (free.empty()) return out;
    const VectorXd wanted = at.moments.mean - at.x;
    Eigen::MatrixXd h = Eigen::MatrixXd(at.moments.square.selfadjointView<Eigen::Lower>())(free, free);
    h.diagonal().array() += 1e-14 * at.x(free).array() + 1e-300;  // directions without curvature are left alone
    const VectorXd step = h.ldlt().solve(wanted(free));
    bool inside = true;
    for (std::size_t j = 0; j < free.size(); ++j) {
      const Index c = free[j];
      out(c) = std::isfinite(step(static_cast<Index>(j))) ? step(static_cast<Index>(j)) : 0;
      if (!bound(c) || out(c) >= 0) continue;
      held[static_cast<std::size_t>(c)] = 1;
      inside = false;
    }
    if (inside) return out;
  }
}

// The first of ever shorter steps that helps (Armijo's rule along the path that the bounds bend).
std::optional<ShareSearch::Point> ShareSearch::improved(const Point& from, const VectorXd& step, double length,
                                                        double shortest) const {
  for (; length >= shortest; length /= 2) {
    Point to = look((from.x.array() * (1 + length * step.array())).max(least_.array()));
    const double promised = from.slope.dot(to.x - from.x);
    if (!(promised < 0) || !std::isfinite(to.value)) continue;
    // at the bottom the objective is flat to rounding: there the certificate decides
    const bool flat = to.value <= from.value + 1e-15 * (1 + std::abs(from.value)) && gap(to) < gap(from) / 2;
    if (to.value <= from.value + 1e-4 * promised || flat) return to;
  }
  return std::nullopt;
}

std::optional<ShareSearch::Point> ShareSearch::em_step(const Point& from) {
  auto to = improved(from, -from.slope, stretch_, stretch_);
  if (to) {
    stretch_ *= 1.5;
    return to;
  }
  stretch_ = 1;
  return improved(from, -from.slope, 1, 0x1p-30);
}

ClassShares ShareSearch::run(int max_iterations) {
  ClassShares out;
  Point at = look(prior_);
  while (gap(at) > gap_goal && out.iterations < max_iterations) {
    const bool newton = at.x.size() <= newton_classes && out.iterations >= 3;
    auto to = newton ? improved(at, newton_step(at), 1, 0x1p-8) : std::nullopt;
    if (!to) to = em_step(at);
    if (!to) break;  // rounding
    at = *std::move(to);
    ++out.iterations;
  }
  out.gap = gap(at);
  const VectorXd b = log_ratio(at.x);
  out.log_ratio.assign(b.begin(), b.end());
  const VectorXd share = at.x / at.x.sum();
  out.share.assign(share.begin(), share.end());
  for (Index c = 0; c < at.x.size(); ++c)
    if (at.x(c) <= least_(c)) out.at_bound.push_back(static_cast<std::size_t>(c));
  return out;
}

}  // namespace

ClassShares class_shares(const ShiftedRows& rows, std::span<const double> prior, int max_iterations) {
  const int usual = static_cast<Index>(prior.size()) <= newton_classes ? 500 : 3000;
  return ShareSearch(rows, prior).run(max_iterations > 0 ? max_iterations : usual);
}

}  // namespace tare::inner::fit
