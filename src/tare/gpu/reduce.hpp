// Rows of logits or probabilities on a device, reduced to what calibration is about: one pass at the speed of memory.
// The rules are those of the CPU (numeric/simd/softmax.hpp): the lowest index on a tie, the largest logit left out of
// the sum so that the complement keeps its digits, -inf a class of probability 0. The same bits every run.
#pragma once

#include "tare/gpu/memory.hpp"

namespace tare::detail::gpu {

// Arrays on the device, n numbers each; a null pointer means "not wanted". DeviceRows that do not count have a hit of
// 2, and nothing else is written for them.
struct Reduced {
  float* score = nullptr;       // of the top label
  float* rest = nullptr;        // (1 - score) / score, to full relative precision; of probabilities 1 - score
  std::uint8_t* hit = nullptr;  // 1 where the top label is the label
  float* nll = nullptr;         // of the label; infinite where its probability is 0
  float* brier = nullptr;       // sum over the classes of (p - 1[label])^2
  std::int32_t* argmax = nullptr;
};

// Puts the work on the stream, and returns. Bad rows are noted in `faults`.
void enqueue_reduce(const DeviceRows& rows, const Labels& labels, const Reduced& out, const Faults& faults,
                    Stream stream);

// The same, and waits to see whether every row was fine.
Result<bool> reduce(const DeviceRows& rows, const Labels& labels, const Reduced& out, Stream stream);

// Sums over the rows that count.
struct Totals {
  double rows = 0, hits = 0;
  double infinite = 0;  // rows whose NLL is, left out of its sums
  double nll = 0, nll_square = 0;
  double brier = 0, brier_square = 0;
};

// Adds n reduced rows to what `totals`, on the device, holds already: the sums over any number of batches are there
// when somebody looks. `nll` and `brier` may be null.
void add_to_totals(const std::uint8_t* hit, const float* nll, const float* brier, std::size_t n, Totals* totals,
                   Stream stream);

}  // namespace tare::detail::gpu
