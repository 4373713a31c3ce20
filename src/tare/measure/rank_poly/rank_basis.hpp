// Polynomials in the middle rank of the score, orthonormal over the sample: mean(phi_k phi_l) = [k = l], phi_0 = 1.
// They depend on scores and masses alone, so one basis serves every redrawing of the labels.
//
// Three-term recurrence, then one sweep of Gram-Schmidt against all: without the sweep, a heavy group of equal scores
// (half of a network's confidences may be 1) costs all digits after a few degrees, because the polynomials
// nearly vanish there while the recurrence amplifies rounding.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "tare/measure/lazy.hpp"
#include "tare/measure/rank_poly/rank_nodes.hpp"

namespace tare::detail::measure {

class RankBasis {
 public:
  static constexpr std::size_t usual_terms = 16;
  static constexpr std::size_t most_terms = 64;  // for rough curves
  static constexpr double highest_leverage = 0.9;
  static constexpr double most_odds = 1 + 4e-9;

  RankBasis() = default;
  explicit RankBasis(const numeric::Ordered& data, int threads = 1, std::size_t alone = RankNodes::most_alone,
                     std::size_t most = usual_terms);

  [[nodiscard]] const RankNodes& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t terms() const { return terms_; }
  // Numbers per array: the nodes, and zeros that fill up a vector of any length.
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] const double* mass() const { return mass_.data(); }  // shares of the total
  [[nodiscard]] const double* phi(std::size_t k) const { return phi_.data() + k * stride_; }
  // With h the leverage of one unit row, sum of phi^2 / n over the terms 0 .. k, at most 0.9: h / (1 - h). Above
  // most_odds, h = 1/2 and room for rounding, a row would say more about itself than the others say about it: they
  // predict nothing there.
  [[nodiscard]] const double* odds(std::size_t k) const { return odds_.data() + k * stride_; }
  // Of the squared error D with 1, 2, ... terms if the model is calibrated, when labels vary by score (1 - score).
  [[nodiscard]] const std::vector<double>& null_variances(const numeric::Ordered& data, int threads) const;

 private:
  void orthonormalise(const numeric::AlignedArray<double>& place, std::size_t terms);
  [[nodiscard]] std::vector<bool> unresolved(double n) const;

  RankNodes nodes_;
  std::size_t terms_ = 0, stride_ = 0;
  numeric::AlignedArray<double> mass_, phi_, odds_;
  Lazy<std::vector<double>> null_;
};

}  // namespace tare::detail::measure
