// What `tare compare` knows: every calibrator on the same rows. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/criterion.hpp"
#include "tare/core/curve.hpp"
#include "tare/core/groups.hpp"
#include "tare/core/model.hpp"
#include "tare/core/results.hpp"

namespace tare::detail {

enum class Change { better, worse, noise };

// A difference of two methods on the same rows: negative is better for the first.
struct Difference {
  Criterion criterion = Criterion::brier;
  std::string against = {};  // the other method
  double value = 0;
  double low = 0;
  double high = 0;
  Change change = Change::noise;
};

struct MethodResult {
  std::string method;       // "uncalibrated" for the input as it is
  std::string reason = {};  // why there is no result
  FitReport fit = {};
  double error = 0;                   // 1 - accuracy
  std::optional<double> nll = {};     // empty: infinite
  std::size_t nll_infinite_rows = 0;  // rows that gave probability 0 to what happened
  double brier = 0;
  std::vector<Measured> estimates = {};
  std::optional<CurveBand> curve = {};       // after the method, with its band
  std::vector<Difference> differences = {};  // against "uncalibrated", then against the winner
  std::optional<GroupReport> groups = {};    // empty: none were asked for
  std::optional<double> selection = {};      // pooled out-of-fold criterion; empty: infinite or not fitted
};

// Of the method against another one, by this criterion; null if there is none.
inline const Difference* difference(const MethodResult& method, Criterion criterion, std::string_view against) {
  for (const Difference& d : method.differences)
    if (d.criterion == criterion && d.against == against) return &d;
  return nullptr;
}

// What is recommended, from validation rows that a method was not fitted on.
struct Winner {
  std::string method;  // "uncalibrated": leave the model as it is
  Criterion criterion = Criterion::brier;
  std::string how = {};                 // in words
  std::string best = {};                // the lowest loss; not recommended where its gain or lead may be noise
  std::optional<Difference> gain = {};  // of the method, else of the best, over "uncalibrated"; empty: none is lower
  std::optional<Difference> lead = {};  // of the winner over the simplest method, where it may be noise
};

struct Comparison {
  InputInfo validation = {};
  InputInfo test = {};
  bool cross_validated = false;  // one fold only: numbers are of out-of-fold predictions
  int folds = 5;
  std::size_t resamples = 0;
  std::uint64_t seed = 0;
  std::vector<MethodResult> methods = {};  // what is recommended first, then "uncalibrated"
  Winner winner = {};
  std::string interval = {};  // method of every Difference's low and high
};

}  // namespace tare::detail
