// Scores and hits in ascending order on a device: what equal-mass bins, sweeps, isotonic fits, KS and rank_poly start
// from. Sorted by CUB; ranks, ties and sums are whole numbers, so that every bin is the CPU's, to the bit
// (numeric/order/bins.hpp).
#pragma once

#include "tare/gpu/memory.hpp"
#include "tare/measure/spec.hpp"
#include "tare/numeric/order/bins.hpp"

namespace tare::detail::gpu {

class Order {
 public:
  // n scores in [0, 1] with hits of 0 and 1, on the device; a hit of 2 is a row that does not count.
  static Result<Order> of(const float* score, const std::uint8_t* hit, std::size_t n, Stream stream);

  [[nodiscard]] std::size_t rows() const { return rows_; }

  // All b bins, as numeric::width_bins and numeric::mass_bins; only the bins leave the device.
  [[nodiscard]] Result<std::vector<numeric::BinSums>> bins(Binning binning, std::size_t b) const;
  // The largest number of bins whose rates still rise, and the bins (Roelofs et al. 2022, Algorithm 1).
  [[nodiscard]] Result<std::vector<numeric::BinSums>> sweep(Binning binning) const;
  // Groups of equal scores, for whatever works on the host.
  [[nodiscard]] Result<numeric::Ordered> groups() const;

 private:
  struct Query {
    double edge = 0;                           // equal width: the first score above it; else
    std::uint64_t rank = 0, twice = 0, b = 0;  // equal mass: ceil(n j / b), 2 n j, and b
    std::uint32_t by_mass = 0;
  };
  struct Found {
    std::uint64_t position, hits, score_low, score_high;  // rows before, hits and fixed scores of them
    float before, after;                                  // the scores on both sides
  };
  friend struct OrderKernels;

  Order(std::size_t n, Stream stream);
  [[nodiscard]] std::vector<Found> look_up(const std::vector<Query>& queries) const;
  // For first .. first + count - 1 bins: 1 where some rate is below the one before it.
  [[nodiscard]] std::vector<std::uint32_t> falls(Binning binning, std::size_t first, std::size_t count) const;
  [[nodiscard]] Query boundary(Binning binning, std::size_t j, std::size_t b) const;
  [[nodiscard]] static std::vector<numeric::BinSums> between(const Found* found, std::size_t b);

  Stream stream_;
  std::size_t n_, rows_ = 0;
  Buffer<std::uint32_t> keys_;    // the bits of the score, then the hit; rows that do not count last
  Buffer<std::uint64_t> before_;  // of every block: hits, groups, and fixed scores in two words, of the rows before it
};

// An estimator of the table whose bins come from the device; the others get the groups.
Result<Estimate> estimate(const Order& order, const measure::Estimator& estimator, const measure::Options& options);

}  // namespace tare::detail::gpu
