#include "tare/watch/e_process.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "tare/numeric/special.hpp"

namespace tare::detail::watch {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;

constexpr double largest_bet = 2;
constexpr double prior_width = 0.15;  // of bets that follow, in log-odds
constexpr double most_capital = 1e290;
constexpr auto followers = static_cast<Index>(Past::memories);

MatrixXd fixed_bets(const Directions& directions) {
  MatrixXd out(30, directions.cells());
  Index next = 0;
  const auto add = [&](const auto& row, std::initializer_list<double> sizes) {
    for (const double size : sizes)
      for (const double sign : {1, -1})
        out.row(next++) = (sign * size * row).cwiseMax(-largest_bet).cwiseMin(largest_bet);
  };
  const MatrixXd& f = directions.directions();
  for (Index k = 0; k < 3; ++k) add(f.row(k), {0.05, 0.15, 0.4});
  for (Index k = family - 2; k < family; ++k) add(f.row(k), {0.2, 0.5, 1});
  return out;
}

// The share of the capital that starts on a day; all of them are 1.
double starting(int day) { return day == 1 ? 0.5 : 0.5 / std::log2(day) - 0.5 / std::log2(day + 1.0); }

using Eigen::VectorXd;

ArrayXd rate_at(const ArrayXd& log_odds) { return 1 / (1 + (-log_odds.max(-30).min(30)).exp()); }

constexpr double for_reference = 0.8;     // share of alpha
constexpr double mixing = 0.01;           // each day so much of the shares is dealt out anew
constexpr double short_memory = 0.05;     // weight of the prior where the past fades
constexpr double least_information = 10;  // rows p (1 - p) of a tail
constexpr auto memories = static_cast<Index>(Past::memories);

// Without the tails that the reference knows too little of.
MatrixXd without_rare_tails(MatrixXd rows, const Gathered& reference) {
  for (Index k = rows.rows() - 2; k < rows.rows(); ++k) {
    const double n = rows.row(k).dot(reference.rows.matrix()), hits = rows.row(k).dot(reference.hits.matrix());
    if (n == 0 || hits * (n - hits) < least_information * n) rows.row(k).setZero();
  }
  return rows;
}

}  // namespace

EProcess::EProcess(const Directions& directions) {
  const MatrixXd fixed = fixed_bets(directions);
  const Index bets = fixed.rows() + followers;
  eta_ = MatrixXd::Zero(bets, directions.cells());
  eta_.topRows(fixed.rows()) = fixed;
  share_.resize(bets);
  share_.head(fixed.rows()) = 0.5 / static_cast<double>(fixed.rows());
  share_.tail(followers) = 0.5 / static_cast<double>(followers);
  capital_ = restarted_ = ArrayXd::Zero(bets);
  followed_ = MatrixXd::Zero(family, followers);
}

void EProcess::settle(const Gathered& day, double run_length) {
  if (detector_ >= run_length) restarted_ = 0;
  const ArrayXd score = day.mean();
  ArrayXd e(eta_.rows());
  for (Index b = 0; b < e.size(); ++b) {
    const ArrayXd eta = eta_.row(b).transpose().array();
    e[b] = (eta * day.hits - day.rows * (score * eta.expm1()).log1p()).sum();
  }
  e = e.max(-600).min(600).exp();
  const double start = starting(++days_);
  not_started_ = std::max(not_started_ - start, 0.0);
  capital_ = (e * (capital_ + start * share_)).min(most_capital);
  restarted_ = (e * (restarted_ + share_)).min(most_capital);
  detector_ = restarted_.sum();
}

void EProcess::make(const Directions& directions, const Past& past) {
  const MatrixXd prior = MatrixXd::Identity(family, family) / (prior_width * prior_width);
  for (Index i = 0; i < followers; ++i) {
    const Gathered& seen = past.of(static_cast<std::size_t>(i));
    const ArrayXd base = log_odds_of(seen.mean());
    followed_.col(i) = LogitFit{directions.directions(), base, seen}.fitted(followed_.col(i), prior, 2);
  }
  eta_.bottomRows(followers) =
      (followed_.transpose() * directions.directions()).cwiseMax(-largest_bet).cwiseMin(largest_bet);
}

double EProcess::evidence() const { return not_started_ + capital_.sum(); }

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

AgainstReference::AgainstReference(const Directions& directions, const Gathered& reference, double alpha)
    : directions_(without_rare_tails(directions.directions(), reference)) {
  const MatrixXd curve = without_rare_tails(directions.curve(), reference);
  const ArrayXd odds = log_odds_of(directions.centre());
  const MatrixXd weak = 0.01 * MatrixXd::Identity(curve_terms, curve_terms);
  const VectorXd b = LogitFit{curve, odds, reference}.fitted(VectorXd::Zero(curve_terms), weak, 30);
  base_ = odds + (curve.transpose() * b).array();
  shape_ = information_at(directions_, base_, reference.rows) + 1e-6 * MatrixXd::Identity(family, family);
  radius_ = 2 * numeric::gamma_q_inv(family / 2.0, for_reference * alpha);  // quantile of chi-square
  beta_ = MatrixXd::Zero(family, memories);
  share_ = ArrayXd::Constant(memories, 1.0 / static_cast<double>(memories));
}

void AgainstReference::settle(const Gathered& day) {
  ArrayXd log_of(memories);
  for (Index i = 0; i < memories; ++i)
    log_of[i] = log_likelihood(base_ + (directions_.transpose() * beta_.col(i)).array(), day);
  const double largest = log_of.maxCoeff();
  const ArrayXd each = share_ * (log_of - largest).exp();
  log_predicted_ += largest + std::log(each.sum());
  share_ = (1 - mixing) * each / each.sum() + mixing / static_cast<double>(memories);
}

void AgainstReference::predict(const Past& past) {
  for (Index i = 0; i < memories; ++i) {
    const MatrixXd prior = shape_ * (i + 1 == memories ? 1 : short_memory);
    const LogitFit fit{directions_, base_, past.of(static_cast<std::size_t>(i))};
    beta_.col(i) = fit.fitted(beta_.col(i), prior, 2);
  }
}

double AgainstReference::evidence(const Past& past) const {
  const VectorXd best = LogitFit{directions_, base_, past.all()}.best_within(shape_, radius_);
  const double at_best = log_likelihood(base_ + (directions_.transpose() * best).array(), past.all());
  return std::exp(std::min(log_predicted_ - at_best, 600.0));
}

}  // namespace tare::detail::watch
