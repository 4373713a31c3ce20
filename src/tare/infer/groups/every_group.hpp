// Are the scores right on average in every group? With R the hits of a group less those expected and V their variance:
//   level    (sum R)^2 / sum V                       all groups off in one direction
//   spread   sum (R^2 - V) / (V + 1)                 many groups off a little, in any direction
//   one      the smallest exact p-value              one group off a lot
// The largest of the three, as minus the logarithm of a tail probability, is compared with what it is when the hits of
// every group are redrawn from their exact distributions. The groups must not overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tare/core/progress.hpp"
#include "tare/infer/groups/shrink.hpp"

namespace tare::inner::infer {

struct EveryGroupOptions {
  std::size_t resamples = 999;
  std::uint64_t seed = 1;
  std::uint32_t stream = 0;
  int threads = 1;
};

double p_of_every_group(std::span<const CountedHits> groups, const EveryGroupOptions& options,
                        const Progress& progress = {});

}  // namespace tare::inner::infer
