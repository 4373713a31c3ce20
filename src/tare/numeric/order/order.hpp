// Scores in ascending order, equal scores together, with running totals. This is the form
// in which ranks, ties, equal-mass bins, sweeps and isotonic fits are exact and cheap.
//
// Mass is weight in whole units: one unit per row without weights, one unit per 1 where all weights are whole, and
// else a power of two per 1 that suits the size of the weights (see mass_unit).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/order/radix_sort.hpp"

namespace tare::detail::numeric {

class Ordered {
 public:
  Ordered() = default;

  // From groups given in strictly ascending score, with the mass and the marked mass of each.
  Ordered(std::vector<double> score, std::span<const std::uint64_t> mass, std::span<const std::uint64_t> marked,
          std::uint64_t unit = 1);

  [[nodiscard]] std::size_t groups() const { return score_.size(); }
  [[nodiscard]] double score(std::size_t g) const { return score_[g]; }
  [[nodiscard]] std::span<const double> scores() const { return score_; }

  // Totals over the groups before g, for g = 0 .. groups().
  [[nodiscard]] std::uint64_t mass_before(std::size_t g) const { return mass_[g]; }
  [[nodiscard]] std::uint64_t hits_before(std::size_t g) const { return hits_[g]; }
  [[nodiscard]] std::span<const std::uint64_t> mass_totals() const { return mass_; }  // of mass_before
  [[nodiscard]] std::span<const std::uint64_t> hit_totals() const { return hits_; }
  [[nodiscard]] u128 score_before(std::size_t g) const;  // of to_fixed(score) * mass

  [[nodiscard]] std::uint64_t mass(std::size_t g) const { return mass_[g + 1] - mass_[g]; }
  [[nodiscard]] std::uint64_t hits(std::size_t g) const { return hits_[g + 1] - hits_[g]; }
  [[nodiscard]] std::uint64_t total_mass() const { return mass_.back(); }
  [[nodiscard]] std::uint64_t total_hits() const { return hits_.back(); }
  [[nodiscard]] std::uint64_t unit() const { return unit_; }  // the mass of weight 1
  [[nodiscard]] double weight() const { return static_cast<double>(total_mass()) / static_cast<double>(unit_); }

  // From rows in ascending order; the memory is used again. A score below its predecessor, which rounding can
  // bring about in simulated data, counts as equal to it.
  void assign_sorted(std::span<const double> score, std::span<const std::uint8_t> mark);

  // The same scores and masses with other marks: what resampling needs.
  void set_hits(std::span<const std::uint64_t> marked);

 private:
  friend Ordered order(Reals, std::span<const std::uint8_t>, std::span<const double>, int);
  template <class Key>
  void fill(const Keys<Key>& keys, int threads);
  void fill_weighted(Reals score, std::span<const std::uint8_t> mark, std::span<const double> weight, int threads);
  void finish(int threads);  // fills the blocked score totals

  static constexpr std::size_t block = 16;
  LargeArray<double> score_;
  LargeArray<std::uint64_t> mass_{0};
  LargeArray<std::uint64_t> hits_{0};
  LargeArray<u128> score_total_;  // before every block-th group
  std::uint64_t unit_ = 1;
};

Ordered order(Reals score, std::span<const std::uint8_t> mark, std::span<const double> weight = {}, int threads = 1);

// Units per weight 1 for these weights: 1 if all are whole, else the power of two that makes the total 2^51 to 2^52
// units, whatever the weights are counted in; at least 2^20, and at most 2^60.
std::uint64_t mass_unit(std::span<const double> weight);
inline std::uint64_t to_mass(double weight, std::uint64_t unit) {
  return static_cast<std::uint64_t>(std::nearbyint(weight * static_cast<double>(unit)));
}

// Neighbouring groups of equal scores, taken together.

// One group for the groups cut[c] .. cut[c + 1] - 1 of the data, at the mean of their scores. cut ascends;
// groups before its first and from its last on are left out.
Ordered gather(const Ordered& data, std::span<const std::size_t> cut);

}  // namespace tare::detail::numeric
