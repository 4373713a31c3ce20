// Binned errors against the number of bins, and against the number of rows (random parts of the data, drawn without
// putting them back), each beside what a calibrated model with the same scores would show. Roelofs et al. 2022, Figure
// 2b, is the first for a known truth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/options.hpp"
#include "tare/core/plots.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/progress.hpp"

namespace tare::detail::analysis {

struct BinChoiceOptions {
  std::optional<Reduction> reduction = {};   // top_label or positive; empty: the rule of choose_reduction
  std::vector<std::string> estimators = {};  // names; empty: the usual ones that have bins and this norm
  int bins = options::bins.usual;
  int norm = 1;
  std::vector<int> counts = {};         // numbers of bins; empty: 1 to 500, as far as there are rows
  std::vector<std::size_t> sizes = {};  // numbers of rows; empty: 50, 100, 200, 500, ... below n
  std::size_t parts = 40;               // of each size
  std::size_t resamples = 400;          // behind each floor
  std::uint64_t seed = 1;
  int threads = 1;
  Progress progress = {};
};

Result<BinChoice> bin_choice(const Predictions& predictions, const BinChoiceOptions& options = {});

}  // namespace tare::detail::analysis
