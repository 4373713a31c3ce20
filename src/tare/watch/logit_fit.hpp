// Logistic curves over the cells of a watch: log-odds are base + b F.
#pragma once

#include <Eigen/Core>

#include "tare/watch/directions.hpp"

namespace tare::inner::watch {

struct LogitFit {
  const Eigen::MatrixXd& directions;  // F, a row for each
  const Eigen::ArrayXd& base;
  const Gathered& data;

  // So many steps of Newton's method from b on for the likelihood less b prior b / 2, none longer than 1.
  [[nodiscard]] Eigen::VectorXd fitted(Eigen::VectorXd b, const Eigen::MatrixXd& prior, int steps) const;

  // The largest likelihood over b shape b <= radius: ends on the edge or just outside, never inside.
  [[nodiscard]] Eigen::VectorXd best_within(const Eigen::MatrixXd& shape, double radius) const;
};

// The log-likelihood of hits with these log-odds.
double log_likelihood(const Eigen::ArrayXd& log_odds, const Gathered& data);

// F diag(rows p (1 - p)) F'
Eigen::MatrixXd information_at(const Eigen::MatrixXd& directions, const Eigen::ArrayXd& log_odds,
                               const Eigen::ArrayXd& rows);

Eigen::ArrayXd log_odds_of(const Eigen::ArrayXd& score);  // kept finite

}  // namespace tare::inner::watch
