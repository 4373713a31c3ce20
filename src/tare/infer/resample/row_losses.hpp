// Row by row: what a set of predicted probabilities costs, and the binary problem that errors of calibration are
// measured on. Kept instead of the probabilities, so that comparing methods needs a few numbers per row, not K.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/results.hpp"
#include "tare/core/views.hpp"
#include "tare/fit/spec.hpp"

namespace tare::detail::infer {

// A list that is empty is not wanted, and add_losses() does not compute it.
struct RowLosses {
  std::vector<double> score;        // top-label confidence, or the probability of class 1
  std::vector<std::uint8_t> label;  // hit, or the label
  std::vector<std::uint8_t> right;  // the argmax is the label
  std::vector<double> brier;
  std::vector<double> nll;  // may be infinite

  explicit RowLosses(std::size_t n = 0) : score(n), label(n), right(n), brier(n), nll(n) {}
};

// Applies the map (null: the input as it is) to every row of `view` and writes the losses of row i to place rows[i]
// (empty: i). Binary input gives binary scores, more classes the multiclass ones, as everywhere.
void add_losses(const MulticlassView& view, const fit::Map* map, Reduction reduction,
                const std::vector<std::size_t>& rows, RowLosses& out, int threads);

// Weighted mean; infinite if any row is. No weights: all ones.
double mean_loss(std::span<const double> loss, std::span<const double> weight);

}  // namespace tare::detail::infer
