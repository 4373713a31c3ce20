// The ways in which ever more bins part the scores, for sweeps over many numbers of bins: each way once, at the fewest
// bins that make it. They follow from scores and masses alone, so that all samples that differ in their labels share
// them. Where weights differ by a million, neighbours of little weight are parted by a million bins and not before; a
// handful of scores is then parted in a handful of ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "tare/numeric/order/bins.hpp"

namespace tare::detail::measure {

// The smallest b of 1 .. most with a whole number between low / of * b and high / of * b, both included; 0: there is
// none. low <= high <= of.
std::uint64_t first_denominator(numeric::u128 low, numeric::u128 high, numeric::u128 of, std::uint64_t most);

class Partitions {
 public:
  static constexpr std::uint64_t most_bins = 1 << 20;
  static constexpr std::size_t most_parts = 1024;  // more are parted by any labels long before the search is long

  Partitions(const numeric::Ordered& data, numeric::Binning binning);

  // Can they be listed?
  [[nodiscard]] bool are_few() const { return parts_.size() <= most_parts; }

  struct Way {
    std::uint64_t bins = 0;                  // the fewest that part the groups so
    std::vector<std::uint32_t> starts = {};  // the first group of each bin, and the number of groups
  };
  // Calls f(way) for what is new with more than `after` bins and at most `last`, in ascending order, until it says
  // false.
  template <class F>
  void each_after(std::uint64_t after, std::uint64_t last, const F& f) const {
    for (std::size_t i = 0;; ++i) {
      const auto block = this->block(i);
      for (const Way& way : block->ways)
        if (way.bins > last || (way.bins > after && !f(way))) return;
      if (block->last >= last) return;
    }
  }

  [[nodiscard]] std::size_t parts() const { return parts_.size(); }

 private:
  struct Block {
    std::uint64_t last = 0;
    std::vector<Way> ways = {};
  };
  // Neighbouring groups that no number of bins up to most_bins parts.
  struct BinBounds {
    std::uint32_t from = 0;
    std::uint64_t low = 0, high = 0;  // twice the middle ranks of the first and of the last group
    double low_score = 0, high_score = 0;
  };
  [[nodiscard]] std::shared_ptr<const Block> block(std::size_t i) const;
  [[nodiscard]] std::shared_ptr<const Block> make_block(std::uint64_t first, std::uint64_t last) const;
  [[nodiscard]] bool are_parted(const BinBounds& left, const BinBounds& right, std::uint64_t bins) const;

  numeric::Binning binning_;
  std::uint64_t total_ = 0;  // mass
  std::uint32_t groups_ = 0;
  std::vector<BinBounds> parts_;
  std::uint64_t enough_ = 1;  // from so many bins on each part is a bin

  mutable std::mutex mutex_;  // of what is made when it is asked for
  mutable std::vector<std::shared_ptr<const Block>> blocks_;
  mutable std::set<std::vector<std::uint32_t>> known_;
};

// Kinds of shared bases (SharedBases).
struct WidthPartitions : Partitions {
  WidthPartitions(const numeric::Ordered& data, int) : Partitions(data, numeric::Binning::width) {}
};
struct MassPartitions : Partitions {
  MassPartitions(const numeric::Ordered& data, int) : Partitions(data, numeric::Binning::mass) {}
};

}  // namespace tare::detail::measure
