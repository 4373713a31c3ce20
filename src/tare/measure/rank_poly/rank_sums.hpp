// What rank_poly sums over the rows, for every number of terms, with vectors over the nodes of the basis.
#pragma once

#include <array>
#include <cstddef>

#include "tare/measure/rank_poly/rank_basis.hpp"

namespace tare::inner::measure {

// What is summed over the rows, per number of terms less one. r: label - score; h: leverage; m: leave-one-out
// prediction of r, with h at most 0.9.
struct RankSums {
  static constexpr std::size_t most_terms = RankBasis::most_terms;
  std::array<std::array<double, most_terms>, most_terms> spread = {};  // mean r^2 phi_k phi_l, l <= k
  std::array<double, most_terms> rm = {};                              // mean r m
  std::array<double, most_terms> r2m2 = {};                            // mean r^2 m^2
  std::array<double, most_terms> m2 = {};                              // mean m^2
  std::array<double, most_terms> f2 = {};                              // mean f^2 and f^4 of the fit to all rows
  std::array<double, most_terms> f4 = {};
  std::array<double, most_terms> h2r4 = {};  // sum h^2 r^4
};

RankSums rank_sums(const numeric::Ordered& data, const RankBasis& basis, int threads);

}  // namespace tare::inner::measure
