#include "tare/watch/bets.hpp"

#include <algorithm>
#include <cmath>

#include "tare/watch/logit_fit.hpp"

namespace tare::inner::watch {
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

}  // namespace

Bets::Bets(const Directions& directions) {
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

void Bets::settle(const Gathered& day, double run_length) {
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

void Bets::make(const Directions& directions, const Past& past) {
  const MatrixXd prior = MatrixXd::Identity(family, family) / (prior_width * prior_width);
  for (Index i = 0; i < followers; ++i) {
    const Gathered& seen = past.of(static_cast<std::size_t>(i));
    const ArrayXd base = log_odds_of(seen.mean());
    followed_.col(i) = LogitFit{directions.directions(), base, seen}.fitted(followed_.col(i), prior, 2);
  }
  eta_.bottomRows(followers) =
      (followed_.transpose() * directions.directions()).cwiseMax(-largest_bet).cwiseMin(largest_bet);
}

double Bets::evidence() const { return not_started_ + capital_.sum(); }

}  // namespace tare::inner::watch
