// Pooled adjacent violators of unsorted rows: see pav_rows.cpp. numeric/pav.hpp does the same on groups with running
// totals, which cost more than the pooling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/views.hpp"
#include "tare/numeric/fixed.hpp"

namespace tare::numeric {

// Scores first .. last with one rate.
struct RateBlock {
  double first = 0;
  double last = 0;
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

// Takes groups in ascending score; gives blocks whose rates rise strictly.
class Pooling {
 public:
  void add(const RateBlock& next) {
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
      RateBlock before = done_.back();
      before.join(open_);
      open_ = before;
      done_.pop_back();
    }
  }
  std::vector<RateBlock> finish() {
    done_.push_back(open_);
    return std::move(done_);
  }

 private:
  std::vector<RateBlock> done_;
  RateBlock open_;
};

// The blocks of rows without weights, scores in [0, 1].
std::vector<RateBlock> pooled_rows(Reals score, std::span<const std::uint8_t> mark, int threads = 1);

}  // namespace tare::numeric
