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

namespace tare::inner::watch {

class Bets {
 public:
  explicit Bets(const Directions& directions);

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

}  // namespace tare::inner::watch
