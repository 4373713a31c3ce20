// How wrong estimators are on data like the user's: what was fitted to the data, and what simulation from the fit
// says about the values that were measured. Plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/model.hpp"
#include "tare/core/results.hpp"
#include "tare/core/simulation.hpp"

namespace tare::detail {

// The distribution of scores that was fitted, where one could be.
struct ScoreFit {
  double alpha = 0;
  double beta = 0;
  double alpha_error = 0;
  double beta_error = 0;
  double saturated_high = 0;  // rows known only to lie within 2^-20 of 1
  double saturated_low = 0;
  std::string saturated = {};  // the rule: censor or shift
  FitStatus status = FitStatus::converged;
};

// One calibration curve that was tried.
struct CurveLine {
  std::string name;
  std::vector<double> coefficients = {};
  std::vector<std::optional<double>> errors = {};
  int parameters = 0;
  double nll = 0;
  double aic = 0;
  FitStatus status = FitStatus::converged;
  std::string note = {};
};

// One measured value, and what the simulation at the same n says about it.
struct Correction {
  std::string estimator;
  std::optional<int> norm = {};
  std::optional<double> observed = {};
  std::optional<double> mean = {};  // of the estimator on samples of the fitted truth
  std::optional<double> sd = {};
  std::optional<double> bias = {};  // mean - true error of the fit
  std::optional<double> rmse = {};
  std::optional<double> corrected = {};  // the true error whose mean estimate is the observed value
  std::string reason = {};               // why something is missing
};

struct BiasReport {
  InputInfo input = {};
  std::size_t n = 0;  // of the samples that speak about the data: their total weight, or less where that is very large
  std::optional<ScoreFit> scores = {};
  std::vector<CurveLine> curves = {};  // the best first
  SimTable table = {};
  std::vector<Correction> corrections = {};  // at n
  std::size_t path_replicates = 0;           // behind each point of the path of the corrections
  bool complete = true;                      // false: interrupted
  std::string note = {};                     // what is missing, or stands for something else
};

}  // namespace tare::detail
