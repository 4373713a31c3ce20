// What `tare report` knows: everything the other commands say about the same rows, and how it was obtained. Plain data.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tare/core/bias.hpp"
#include "tare/core/comparison.hpp"
#include "tare/core/results.hpp"
#include "tare/core/test_report.hpp"

namespace tare::inner {

// Where the mean label of one bin would fall, were the model perfectly calibrated: 95 of 100 times inside.
struct Band {
  double low = 0;
  double high = 1;
};

struct BinBands {
  std::string estimator;        // whose bins
  std::vector<Band> band = {};  // in the order of its bins
};

// Mean score minus mean label, with its normal 95% interval where there is more than one row.
struct MeanGap {
  double value = 0;
  std::optional<double> low = {};
  std::optional<double> high = {};
};

struct Report {
  Survey survey = {};
  MeanGap gap = {};
  std::vector<BinBands> bands = {};
  std::size_t band_resamples = 0;
  std::optional<TestReport> test = {};
  std::string test_reason = {};  // why there is none; the same below
  std::optional<BiasReport> bias = {};
  std::string bias_reason = {};
  std::optional<Survey> classes = {};  // every class against the rest
  std::string classes_reason = {};
  std::optional<Comparison> comparison = {};  // with validation data
  std::string comparison_reason = {};         // why there is none although there were such data
  std::vector<EstimatorInfo> about = {};      // every estimator

  std::string command = {};                                        // as typed
  std::vector<std::pair<std::string, std::string>> settings = {};  // name and value of every option that matters
  std::vector<std::string> apply = {};                             // commands that fit and apply the winner
};

}  // namespace tare::inner
