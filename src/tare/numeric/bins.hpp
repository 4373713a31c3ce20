// The one definition of a bin, shared by estimators, calibrators and plots.
//
// Equal width: (a, b], 0 in the first bin; edge j of b is the double nearest to j/b and
// membership is decided against these edges. Equal mass: the row of rank i of n goes to bin
// floor(i*b/n) in whole numbers; equal scores stay together, in the bin of their middle rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/numeric/fixed.hpp"
#include "tare/numeric/order.hpp"

namespace tare::numeric {

enum class Binning { width, mass };

inline double width_edge(std::size_t j, std::size_t b) { return static_cast<double>(j) / static_cast<double>(b); }

// The bin of one score, by the same edges (for applying histogram maps, and for tests).
std::size_t width_bin(double score, std::size_t b);

struct BinSums {
  std::uint64_t mass = 0;
  std::uint64_t hits = 0;
  u128 score = 0;         // of to_fixed(score) * mass
  double first = 0;       // smallest and largest score inside; equal-mass bins only
  double last = 0;

  [[nodiscard]] double mean_score() const {
    return static_cast<double>(score) / (static_cast<double>(mass) * score_scale);
  }
  [[nodiscard]] double mean_label() const { return static_cast<double>(hits) / static_cast<double>(mass); }
  void merge(const BinSums& other) {
    mass += other.mass;
    hits += other.hits;
    score += other.score;
  }
};

// All b bins, empty ones included (mass 0).
std::vector<BinSums> width_bins(const Ordered& data, std::size_t b);
std::vector<BinSums> mass_bins(const Ordered& data, std::size_t b);

// The same numbers, to the bit, straight from unsorted rows.
std::vector<BinSums> width_bins(Reals score, std::span<const std::uint8_t> mark, std::span<const double> weight,
                                std::size_t b, int threads = 1);
std::vector<BinSums> mass_bins(Reals score, std::span<const std::uint8_t> mark, std::span<const double> weight,
                               std::size_t b, int threads = 1);

// First group of bins 0 .. b (b + 1 numbers; equal neighbours: an empty bin).
std::size_t width_boundary(const Ordered& data, std::size_t j, std::size_t b);
std::size_t mass_boundary(const Ordered& data, std::size_t j, std::size_t b);

}  // namespace tare::numeric
