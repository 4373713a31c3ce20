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
#include <string>
#include <vector>

#include "tare/core/comparison.hpp"
#include "tare/infer/resample/row_losses.hpp"

namespace tare::detail::infer {

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
