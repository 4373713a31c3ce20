// What `tare report` knows: everything the other commands say about the same rows, and how it was obtained. Plain data.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tare/core/bias.hpp"
#include "tare/core/comparison.hpp"
#include "tare/core/plots.hpp"
#include "tare/core/survey.hpp"

namespace tare::detail {

struct Report {
  Survey survey = {};
  std::optional<BiasReport> bias = {};
  std::string bias_reason = {};        // why there is none; the same below
  std::optional<Survey> classes = {};  // every class against the rest
  std::string classes_reason = {};
  std::optional<Comparison> comparison = {};     // with validation data
  std::string comparison_reason = {};            // why there is none although there were such data
  std::optional<BeforeAfter> before_after = {};  // of what is recommended
  std::optional<CalibratorMap> map = {};         // the same
  std::optional<RejectionCurve> rejection = {};
  std::optional<DetectableCurve> detectable = {};
  std::optional<BinChoice> bin_choice = {};
  std::vector<EstimatorInfo> about = {};  // every estimator

  std::string file = {};                                           // what was read, where a title stands for it
  std::string date = {};                                           // of writing, "2026-11-17"; empty: not known
  std::string command = {};                                        // as typed
  std::vector<std::pair<std::string, std::string>> settings = {};  // name and value of every option that matters
  std::vector<std::string> apply = {};                             // commands that fit and apply the winner
};

}  // namespace tare::detail
