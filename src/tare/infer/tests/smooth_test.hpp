// One test for many ways of being wrong. Five parts look at what labels exceed their scores by, each in directions of
// known variance (SmoothBasis):
//   level   Z_0^2                       too high or too low on average             1 degree of freedom, weight 3/9
//   tilt    Z_1^2                       too extreme or too timid                   1, 2/9
//   shape   Z_2^2 + ... + Z_{K-1}^2     a bent curve                               K - 2, 2/9
//   tail    W_0^2 + W_1^2 + W_2^2       polynomials in rank: the surest rows       3, 1/9
//   place   max (sum r)^2 / (sum v)     over 16 cells of equal information and the 15 unions of neighbours, 1/9
// Each becomes a tail probability p_j of chi-square, and T = max_j (log w_j - log p_j). Chi-square is only a scale on
// which the parts can be compared: the p-value is the rank of T among redrawings (docs/methods/smooth_test.md).
// Parts that do not exist, as the tilt of a single score, are left out.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "tare/infer/tests/statistic.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::infer {

Result<double> smooth_test(const measure::Sample& sample);
Result<TestEvidence> smooth_evidence(const measure::Sample& sample);

// What the labels say for sure where the test rejects: the part with statistic x^2 and critical value c^2 allows true
// gaps d only with |sum d f| >= x - c, f its directions, and that bounds their mean size from below. Labels that
// scatter more than v says (a rate far from a score near 1) make the bound smaller by as much.
struct LeastError {
  double mean = 0;         // mean gap
  double square = 0;       // root mean square gap
  double level_limit = 0;  // how many standard deviations the level may be away from 0 without a rejection
};
// `critical`: the test rejects where its statistic is larger. Some bound is positive exactly there.
LeastError least_error(const measure::Sample& sample, double critical);

// -log of the probability that chi-square with k degrees of freedom exceeds x; finite for every x.
double minus_log_tail(double x, double k);
// The same of the largest square over `cells` neighbouring cells and unions of two.
double minus_log_of_largest(double square, std::size_t cells);

extern const Test smooth_test_row;

// Directions in which labels can differ from their scores, each with variance 1 on calibrated data. With
// v = s (1 - s), summed over the rows of a group of equal scores, and information time
//   t = (sum of v over smaller scores + half of that of the own group) / (sum of all v),
// phi_k are polynomials in t and psi_k polynomials in the middle rank, both orthonormal for sum v f g. So
// Z_k = sum (y - s) phi_k has mean 0 and unit covariance if the model is calibrated, whatever the scores.
// They depend on scores and masses alone: one basis serves every redrawing of the labels.
//
// Scores of exactly 0 and 1 carry no information and are left out (Contradictions).

// Polynomials in x of degree 0, 1, ..., orthonormal for sum v f g; fewer where there are no more directions.
Eigen::MatrixXd orthonormal_polynomials(const Eigen::VectorXd& x, const Eigen::VectorXd& v, std::size_t terms);

class SmoothBasis {
 public:
  static constexpr std::size_t most_terms = 12;   // of phi
  static constexpr std::size_t few_scores = 20;   // so many different scores have a term each
  static constexpr std::size_t rank_terms = 3;    // of psi
  static constexpr std::size_t equal_cells = 16;  // of equal information

  struct Cell {  // groups from .. to-1
    std::size_t from = 0, to = 0;
    double information = 0;  // sum of v
  };

  explicit SmoothBasis(const numeric::Ordered& data, int threads = 1);
  ~SmoothBasis();  // not inline: who makes an Eigen matrix frees it
  SmoothBasis(const SmoothBasis&) = delete;
  SmoothBasis& operator=(const SmoothBasis&) = delete;

  [[nodiscard]] bool empty() const { return cells_.empty(); }  // every score is 0 or 1
  // The groups with a score inside (0, 1).
  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(phi_.rows()); }
  // One column per polynomial, one row per group.
  [[nodiscard]] const Eigen::MatrixXd& phi() const { return phi_; }
  [[nodiscard]] const Eigen::MatrixXd& psi() const { return psi_; }
  [[nodiscard]] const std::vector<Cell>& cells() const { return cells_; }

 private:
  std::size_t first_ = 0;
  Eigen::MatrixXd phi_, psi_;
  std::vector<Cell> cells_;
};

}  // namespace tare::detail::infer
