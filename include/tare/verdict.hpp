// One decision about one set of predictions, and what it rests on. Everything tare says follows from it.
#pragma once

#include <optional>
#include <string>

#include <tare/version.hpp>

namespace tare {
inline namespace v0_3 {

enum class Outcome {
  miscalibrated,  // the test rejects calibration
  nothing_found,  // it does not, and would have found an error of `detectable`
  cannot_tell     // it does not, and only a very large error would have been found
};

enum class Direction { none, over, under };         // scores too high or too low on average
enum class Shape { none, too_extreme, too_timid };  // scores further apart than they should be, or less far

// A number with its 95% interval, where it has one.
struct IntervalEstimate {
  double value = 0;
  std::optional<double> low = {};
  std::optional<double> high = {};
};

// miscalibrated exactly when p_value < alpha, exactly when low > 0.
struct Verdict {
  std::optional<Outcome> outcome = {};  // empty: nothing was tested (classwise, or without resampling)
  std::optional<double> p_value = {};
  std::string test = {};  // that gave it
  double alpha = 0.05;
  std::optional<double> value = {};  // the estimated true error: root mean square gap
  std::optional<double> low = {};    // its 95% interval
  std::optional<double> high = {};
  int norm = 2;
  std::optional<double> detectable = {};  // an error of this size would have been found
  Direction direction = Direction::none;
  IntervalEstimate mean_gap = {};  // mean score less mean label
  Shape shape = Shape::none;
  double certain_and_wrong = 0;  // rows with a probability of 0 for what happened
  std::string sentence = {};     // all of it in words
};

}  // namespace v0_3
}  // namespace tare
