// What rank_poly sums over the rows, for every number of terms, with vectors over the nodes of the basis.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "tare/measure/rank_poly/rank_basis.hpp"

namespace tare::inner::measure {

// Sums of r^j, j = 1 .. 4, at the nodes of a basis, divided by the number of rows. r: label - score.
class RankGaps {
 public:
  RankGaps(const numeric::Ordered& data, const RankBasis& basis, int threads);
  // With other labels for these rows.
  void add(const numeric::Ordered& data, const RankBasis& basis, std::span<const Flip> flips);
  [[nodiscard]] std::array<const double*, 4> powers() const { return {at(0), at(1), at(2), at(3)}; }

 private:
  [[nodiscard]] const double* at(std::size_t j) const { return sums_.data() + j * stride_; }
  [[nodiscard]] std::array<double*, 4> all();
  std::size_t stride_;
  numeric::AlignedArray<double> sums_;
};

// What is summed over the rows, per number of terms less one. h: leverage; m: leave-one-out prediction of r, 0 where
// the leverage is above 1/2.
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

RankSums rank_sums(const RankBasis& basis, const RankGaps& gaps, double rows);

}  // namespace tare::inner::measure
