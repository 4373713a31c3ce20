// From the values of tie groups to what the nodes of their stretch carry (rank_nodes.hpp), with vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tare/measure/rank_poly/rank_nodes.hpp"

namespace tare::inner::measure {

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
void carry_masses(const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight, double share,
                  double* const* out);
void carry_variances(const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight, double share,
                     double* const* out);
void carry_gaps(const GroupInput& in, const RankNodes::Stretch& s, const PointWeights& weight, double share,
                double* const* out);

}  // namespace tare::inner::measure
