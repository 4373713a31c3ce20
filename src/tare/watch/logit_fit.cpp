#include "tare/watch/logit_fit.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace tare::inner::watch {
namespace {

using Eigen::ArrayXd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

ArrayXd rate_at(const ArrayXd& log_odds) { return 1 / (1 + (-log_odds.max(-30).min(30)).exp()); }

}  // namespace

VectorXd LogitFit::fitted(VectorXd b, const MatrixXd& prior, int steps) const {
  for (int step = 0; step < steps; ++step) {
    const ArrayXd log_odds = base + (directions.transpose() * b).array();
    const ArrayXd expected = data.rows * rate_at(log_odds);
    const VectorXd slope = directions * (data.hits - expected).matrix() - prior * b;
    const VectorXd by = (information_at(directions, log_odds, data.rows) + prior).partialPivLu().solve(slope);
    b += by * std::min(1.0, 1 / std::max(by.cwiseAbs().maxCoeff(), 1e-9));
  }
  return b;
}

VectorXd LogitFit::best_within(const MatrixXd& shape, double radius) const {
  const auto inside = [&](const VectorXd& b) { return b.dot(shape * b) <= radius; };
  VectorXd b = fitted(VectorXd::Zero(directions.rows()), shape * 1e-6, 6);
  if (inside(b)) return b;
  double low = -14, high = 25;  // logarithm of the multiplier of a quadratic penalty
  for (int halving = 0; halving < 26; ++halving) {
    const double middle = (low + high) / 2;
    b = fitted(b, shape * std::exp(middle), 3);
    (inside(b) ? high : low) = middle;
  }
  return fitted(b, shape * std::exp(low), 6);
}

double log_likelihood(const ArrayXd& z, const Gathered& data) {
  // log(1 + e^z) without overflow
  const ArrayXd softplus = z.max(0) + (-z.abs()).exp().log1p();
  return (z * data.hits - softplus * data.rows).sum();
}

MatrixXd information_at(const MatrixXd& directions, const ArrayXd& log_odds, const ArrayXd& rows) {
  const ArrayXd p = rate_at(log_odds);
  return directions * (rows * p * (1 - p)).matrix().asDiagonal() * directions.transpose();
}

ArrayXd log_odds_of(const ArrayXd& score) {
  const ArrayXd s = score.max(least_score).min(1 - least_score);
  return (s / (1 - s)).log();
}

}  // namespace tare::inner::watch
