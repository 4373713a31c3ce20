// How much an error depends on choices that nobody reports: the number of bins and the number of rows. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/results.hpp"

namespace tare::detail {

struct BinChoicePoint {
  double at = 0;                          // the number of bins, or of rows
  double value = 0;                       // of all rows, or the mean over random parts of them
  std::optional<double> sd = {};          // over these parts; empty: all rows
  std::optional<double> floor = {};       // the mean of a calibrated model with these scores
  std::optional<double> floor_high = {};  // its 95% quantile
};

struct BinChoiceLine {
  EstimatorInfo about = {};
  std::optional<int> norm = {};
  std::vector<BinChoicePoint> by_bins = {};
  std::vector<BinChoicePoint> by_rows = {};  // with `bins` bins; the last is all rows
};

struct BinChoice {
  InputInfo input = {};
  int bins = 0;  // asked for
  std::size_t parts = 0;
  std::size_t resamples = 0;
  std::uint64_t seed = 0;
  std::vector<BinChoiceLine> lines = {};
  std::string reason = {};  // why there are no parts
};

}  // namespace tare::detail
