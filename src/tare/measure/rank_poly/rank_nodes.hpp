// Sums over tie groups of a value times a smooth function of rank, from some hundred places instead of all groups.
// A stretch of many light groups is replaced by the Chebyshev points of its ranks, which carry its values such that
// every polynomial of degree below `points` keeps its sum: sum v_g f(x_g) = sum_j a_j sum v_g T_j(x_g), where a_j are
// the coefficients of the interpolant of f (Dutt, Gu and Rokhlin 1996 call it anterpolation). Few groups, and heavy
// ones, are places of their own, and exact.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/measure/rank_poly/certain_rows.hpp"
#include "tare/numeric/memory.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::measure {

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

// From the values of tie groups to what the nodes of their stretch carry (rank_nodes.hpp), with vectors.

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

// Of the groups of one stretch: out[0] gets their masses, times `share`; or out[0] and out[1] the variances of their
// labels if calibrated, and the squares of these; or out[0] .. out[3] the powers of their gaps.
void transfer_masses(const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight, double share,
                     double* const* out);
void transfer_variances(const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight, double share,
                        double* const* out);
void transfer_gaps(const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight, double share,
                   double* const* out);

}  // namespace tare::detail::measure
