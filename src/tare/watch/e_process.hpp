// Is calibration lost? Evidence that may be looked at every day (Ville 1939; Waudby-Smith and Ramdas 2024).
//
// A bet is a number eta for each cell, fixed before the labels of the day are seen. Its e-value
//   e = exp(sum over cells of eta hits - rows log(1 + score (exp(eta) - 1)))
// is the likelihood ratio of the labels tilted by eta, and has mean at most 1 if the model is calibrated: log is
// concave, so that gathering scores in cells makes e smaller. Half of the capital is on 30 fixed bets, half on three
// that follow what was seen so far. The capital starts to be bet day by day: half of it on the first, the rest spread
// over all later days, so that a loss after a long calm is found, too. What it has become is evidence: if the model is
// calibrated, the chance that it ever reaches 1 / alpha is at most alpha, however the scores drift.
//
// The detector puts new capital of 1 on every day (Shiryaev 1963, Roberts 1966): reaching A takes at least A days on
// average if the model is calibrated. It begins again after that.
#pragma once

#include <Eigen/Core>

#include "tare/watch/directions.hpp"

namespace tare::detail::watch {

class EProcess {
 public:
  explicit EProcess(const Directions& directions);

  void settle(const Gathered& day, double run_length);        // the bets made before
  void make(const Directions& directions, const Past& past);  // those of tomorrow

  [[nodiscard]] double evidence() const;
  [[nodiscard]] double detector() const { return detector_; }

 private:
  int days_ = 0;
  double not_started_ = 1;
  double detector_ = 0;
  Eigen::MatrixXd eta_;                 // a row for each bet
  Eigen::ArrayXd share_;                // of the capital
  Eigen::ArrayXd capital_, restarted_;  // of each bet; restarted: of the detector
  Eigen::MatrixXd followed_;            // a column for each bet that follows: directions of eta
};

// Logistic curves over the cells of a watch: log-odds are base + b F.

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

// Are the labels as in the reference? Evidence as above, with the error of the reference itself paid for
// (Wasserman, Ramdas and Balakrishnan 2020).
//
// The curve of the reference is fitted: log-odds of the score plus eight polynomials and the two tails, so that among
// curves plus beta F the labels of the reference like beta = 0 best. The truth is taken to be one of these, with beta
// in an ellipsoid C around 0 where it lies with probability 1 - 0.8 alpha. Above is the likelihood of the days under
// curves that follow what was seen before each of them; below the best likelihood of all days over C. If beta is in C,
// the ratio reaches 5 / alpha with a chance of at most alpha / 5, ever. A tail in which the reference has too few hits
// or misses for an ellipsoid is no direction.

class AgainstReference {
 public:
  AgainstReference(const Directions& directions, const Gathered& reference, double alpha);

  void settle(const Gathered& day);  // the predictions made before
  void predict(const Past& past);    // for tomorrow
  [[nodiscard]] double evidence(const Past& past) const;

 private:
  Eigen::MatrixXd directions_;
  Eigen::ArrayXd base_;    // log-odds of the fitted curve
  Eigen::MatrixXd shape_;  // of the ellipsoid: the information of the reference
  double radius_ = 0;
  Eigen::MatrixXd beta_;  // a column for each memory
  Eigen::ArrayXd share_;  // of each in the prediction
  double log_predicted_ = 0;
};

}  // namespace tare::detail::watch
