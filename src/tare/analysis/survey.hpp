// Everything `tare measure` says: every estimator on one fold, with noise floor and interval, and one verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/options.hpp"
#include "tare/core/predictions.hpp"
#include "tare/core/progress.hpp"
#include "tare/core/survey.hpp"

namespace tare::detail::analysis {

struct SurveyOptions {
  std::optional<Reduction> reduction = {};  // empty: the rule of choose_reduction
  int bins = options::bins.usual;
  std::vector<int> norms = {1, 2};
  std::vector<std::string> estimators = {};  // names; empty: all
  bool resample = true;                      // noise floors and intervals
  bool bias = false;                         // and simulated_bias(), by those who show a survey
  bool verdict = true;                       // and the test that decides; pictures need none
  std::vector<std::string> tests = {};       // statistics beside the one that decides; names
  std::uint64_t seed = 1;
  int threads = 1;
  Progress progress = {};
};

Result<Survey> survey(const Predictions& predictions, const SurveyOptions& options = {});

}  // namespace tare::detail::analysis
