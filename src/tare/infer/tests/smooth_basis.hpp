// Directions in which labels can differ from their scores, each with variance 1 on calibrated data. With
// v = s (1 - s), summed over the rows of a group of equal scores, and information time
//   t = (sum of v over smaller scores + half of that of the own group) / (sum of all v),
// phi_k are polynomials in t and psi_k polynomials in the middle rank, both orthonormal for sum v f g. So
// Z_k = sum (y - s) phi_k has mean 0 and unit covariance if the model is calibrated, whatever the scores.
// They depend on scores and masses alone: one basis serves every redrawing of the labels.
//
// Scores of exactly 0 and 1 carry no information and are left out (Contradictions).
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "tare/numeric/order/order.hpp"

namespace tare::detail::infer {

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
