// Pool adjacent violators: the non-decreasing step function of the score that is closest to
// the labels, for the squared and for every other proper score at once. Ayer et al. 1955.
// Rates are compared as fractions of integers, so equal rates are equal; linear time.
// By hand: none of the libraries has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tare/numeric/exact/fixed.hpp"
#include "tare/numeric/order/order.hpp"

namespace tare::detail::numeric {

// Neighbouring groups with one rate. Places are indices of groups (`last` is the one after) or scores.
template <class Place>
struct RateBlock {
  Place first = 0;
  Place last = 0;
  std::uint64_t mass = 0;
  std::uint64_t hits = 0;

  [[nodiscard]] double rate() const { return static_cast<double>(hits) / static_cast<double>(mass); }
  [[nodiscard]] bool rises_to(const RateBlock& next) const {
    return static_cast<u128>(hits) * next.mass < static_cast<u128>(next.hits) * mass;
  }
  void join(const RateBlock& next) {
    last = next.last;
    mass += next.mass;
    hits += next.hits;
  }
};

// Takes groups in ascending order; gives blocks whose rates rise strictly.
template <class Place>
class Pooling {
 public:
  void add(const RateBlock<Place>& next) {
    if (open_.mass == 0) {
      open_ = next;
      return;
    }
    if (open_.rises_to(next)) {
      done_.push_back(open_);
      open_ = next;
      return;
    }
    open_.join(next);
    while (!done_.empty() && !done_.back().rises_to(open_)) {
      RateBlock<Place> before = done_.back();
      before.join(open_);
      open_ = before;
      done_.pop_back();
    }
  }
  std::vector<RateBlock<Place>> finish() {
    done_.push_back(open_);
    return std::move(done_);
  }

 private:
  std::vector<RateBlock<Place>> done_;
  RateBlock<Place> open_;
};

using PavBlock = RateBlock<std::size_t>;  // groups first .. last - 1

inline std::vector<PavBlock> pav(const Ordered& data) {
  Pooling<std::size_t> pooling;
  for (std::size_t g = 0; g < data.groups(); ++g) pooling.add({g, g + 1, data.mass(g), data.hits(g)});
  return pooling.finish();
}

using ScoreBlock = RateBlock<double>;  // scores first .. last

// The blocks of unsorted rows without weights, scores in [0, 1], without the running totals of groups, which cost more
// than the pooling: see pav_rows.cpp.
std::vector<ScoreBlock> pooled_rows(Reals score, std::span<const std::uint8_t> mark, int threads = 1);

}  // namespace tare::detail::numeric
