// Differences between methods on the same rows, with simultaneous intervals: rows are resampled, all methods see the
// same resample, and the interval is value ± c sd, where c is the 95% quantile of the largest |deviation| / sd over all
// differences of a criterion. So the chance that any one of them misses its true difference is 5%, however many
// methods are compared. The fitted maps are held fixed.
//
// Calibration is compared on the signed squared error of debias_em: plug-in errors mislead here, because their bias
// grows as a model gets better. A resample's squared error is centred at the plug-in value, so deviations are taken
// from the mean over resamples and added to the unresampled difference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tare/core/comparison.hpp"
#include "tare/core/results.hpp"
#include "tare/core/views.hpp"
#include "tare/fit/spec.hpp"

namespace tare::detail::infer {

// Row by row: what a set of predicted probabilities costs, and the binary problem that errors of calibration are
// measured on. Kept instead of the probabilities, so that comparing methods needs a few numbers per row, not K.

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

// Method a minus method b, by position.
struct Pair {
  std::size_t a = 0;
  std::size_t b = 0;
};

struct PairedOptions {
  std::size_t resamples = 1000;
  std::uint64_t seed = 1;
  int threads = 1;
};

// Fewer than asked for where rows times methods times resamples would cost too much.
std::size_t affordable_resamples(std::size_t asked, std::size_t n, std::size_t methods);

// For every pair the differences in brier, nll (where both are finite) and debias_em_squared. `against` is left to
// the caller. Deterministic in the seed, whatever the threads.
std::vector<std::vector<Difference>> paired_differences(const std::vector<const RowLosses*>& methods,
                                                        std::span<const double> weight, const std::vector<Pair>& pairs,
                                                        int bins, const PairedOptions& options);

}  // namespace tare::detail::infer
