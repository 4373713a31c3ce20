// Are the labels as in the reference? Evidence as in bets.hpp, with the error of the reference itself paid for
// (Wasserman, Ramdas and Balakrishnan 2020).
//
// The curve of the reference is fitted: log-odds of the score plus eight polynomials and the two tails, so that among
// curves plus beta F the labels of the reference like beta = 0 best. The truth is taken to be one of these, with beta
// in an ellipsoid C around 0 where it lies with probability 1 - 0.8 alpha. Above is the likelihood of the days under
// curves that follow what was seen before each of them; below the best likelihood of all days over C. If beta is in C,
// the ratio reaches 5 / alpha with a chance of at most alpha / 5, ever. A tail in which the reference has too few hits
// or misses for an ellipsoid is no direction.
#pragma once

#include <Eigen/Core>

#include "tare/watch/directions.hpp"

namespace tare::inner::watch {

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

}  // namespace tare::inner::watch
