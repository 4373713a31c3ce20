#include "tare/watch/against_reference.hpp"

#include <algorithm>
#include <cmath>

#include "tare/numeric/special.hpp"
#include "tare/watch/logit_fit.hpp"

namespace tare::inner::watch {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

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

}  // namespace tare::inner::watch
