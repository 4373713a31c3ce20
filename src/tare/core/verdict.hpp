// The one decision (analysis/verdict.hpp), and what its sentences are made of. Plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <tare/verdict.hpp>

namespace tare::detail {

using tare::Direction;
using tare::IntervalEstimate;
using tare::Outcome;
using tare::Shape;

// An estimate of the true calibration error in one norm.
struct ErrorRange {
  std::string estimator = {};
  std::optional<double> value = {};
  std::optional<double> low = {};
  std::optional<double> high = {};
  std::string note = {};  // what must be said beside it
};

// Rows whose score is within 2^-20 of 0 or 1, as sums of weights: a calibrated model is never wrong there.
struct Certain {
  double misses_at_one = 0;  // label 0 at a score of 1
  double hits_at_zero = 0;   // label 1 at a score of 0
  double rows = 0;           // all of them, right or wrong
  double expected = 0;       // how many of them would be wrong if the scores were right
  [[nodiscard]] double wrong() const { return misses_at_one + hits_at_zero; }
};

struct Verdict {
  Outcome outcome = Outcome::cannot_tell;
  std::optional<double> p_value = {};  // empty: the test says nothing about these data
  std::string test = {};
  double alpha = 0.05;
  ErrorRange square = {};                 // root mean square gap; empty ends: no interval
  ErrorRange mean = {};                   // mean gap
  std::optional<double> detectable = {};  // in norm 2; empty: not known
  Direction direction = Direction::none;
  IntervalEstimate mean_gap = {};  // mean score less mean label
  double mean_score = 0;
  double mean_label = 0;
  Shape shape = Shape::none;
  std::optional<IntervalEstimate> slope = {};  // of the labels on the log-odds of the scores; empty: there is none
  Certain certain = {};
};

}  // namespace tare::detail
