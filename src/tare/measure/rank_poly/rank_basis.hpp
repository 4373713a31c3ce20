// Polynomials in the middle rank of the score, orthonormal over the sample: mean(phi_k phi_l) = [k = l], phi_0 = 1.
// They depend on scores and masses alone, so one basis serves every redrawing of the labels.
//
// Three-term recurrence, then one sweep of Gram-Schmidt against all: without the sweep, a heavy group of equal scores
// (half of a network's confidences may be 1) costs all digits after a few degrees, because the polynomials
// nearly vanish there while the recurrence amplifies rounding.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/measure/rank_poly/certain_rows.hpp"
#include "tare/measure/sample.hpp"
#include "tare/numeric/memory.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::measure {

// Sums over tie groups of a value times a smooth function of rank, from some hundred places instead of all groups.
// A stretch of many light groups is replaced by the Chebyshev points of its ranks, which carry its values such that
// every polynomial of degree below `points` keeps its sum: sum v_g f(x_g) = sum_j a_j sum v_g T_j(x_g), where a_j are
// the coefficients of the interpolant of f (Dutt, Gu and Rokhlin 1996 call it anterpolation). Few groups, and heavy
// ones, are places of their own, and exact.

class RankNodes {
 public:
  static constexpr std::size_t points = 12;        // of a pooled stretch
  static constexpr std::size_t most_alone = 1024;  // so many groups are not worth pooling

  struct Stretch {  // groups from .. to-1, carried by the nodes from `node` on
    std::size_t from = 0, to = 0, node = 0;
    bool pooled = false;
    [[nodiscard]] std::size_t nodes() const { return pooled ? points : to - from; }
  };

  RankNodes() = default;
  explicit RankNodes(const numeric::Ordered& data, std::size_t alone = most_alone);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const Stretch> stretches() const { return stretches_; }
  // Cuts the stretches that are marked in two, at the middle of their ranks.
  void split(const numeric::Ordered& data, const std::vector<bool>& marked);

  // Middle ranks, mapped to [-1, 1].
  [[nodiscard]] numeric::AlignedArray<double> places(const numeric::Ordered& data) const;
  // Shares of the total mass.
  void masses(const numeric::Ordered& data, double* out, int threads) const;
  // Of v and v^2, v = score (1 - score), divided by the total mass.
  void variances(const numeric::Ordered& data, const std::array<double*, 2>& out, int threads) const;
  // Of (mark - score)^j over the marked and the unmarked mass, j = 1 .. 4, divided by the total mass.
  void gaps(const numeric::Ordered& data, const std::array<double*, 4>& out, int threads) const;
  // What these flips add to them.
  void add_flips(const numeric::Ordered& data, std::span<const Flip> flips, const std::array<double*, 4>& out) const;

  // The size of the last coefficients of a function on a pooled stretch, from its values at the nodes: how far its
  // interpolant can be off.
  static double roughness(const double* values);

 private:
  void number();

  std::vector<Stretch> stretches_;
  std::size_t size_ = 0;
};

// [j][i]: (2 - [j = 0]) / points * T_j at point i; the rows are filled up to vectors of any length.
inline constexpr std::size_t padded_points = 32;
using PointWeights = std::array<std::array<double, padded_points>, RankNodes::points>;

struct GroupInput {
  const double* score;
  const std::uint64_t* mass;  // before every group, and after the last
  const std::uint64_t* hits;
  std::uint64_t origin;  // mass_before + mass_after of the first group of the stretch
  double per_rank;       // of t
};

// From the values of the groups of one stretch to what its nodes carry, with vectors. One value: out[0] gets their
// masses, times `share`; two: out[0] and out[1] the variances of their labels if calibrated, and the squares of these;
// four: out[0] .. out[3] the powers of their gaps.
void transfer(std::size_t values, const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight,
              double share, double* const* out);

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
