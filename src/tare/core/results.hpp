// Result structs: what measuring and inferring return and rendering shows. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tare/estimators.hpp>
#include <tare/measurement.hpp>
#include <tare/predictions.hpp>
#include <tare/verdict.hpp>

#include "tare/core/estimator.hpp"
#include "tare/core/views.hpp"

namespace tare::detail {

using tare::Bin;
using tare::Direction;
using tare::IntervalEstimate;
using tare::Judgement;
using tare::Outcome;
using tare::Reduction;
using tare::Shape;

struct Component {
  std::string name;
  double value = 0;
};

// How a squared error D that noise does not bias scatters around the true one, q: with variance se_null^2 + per_square
// q.
struct SquareSpread {
  double squared = 0;  // D
  double se_null = 0;
  double per_square = 0;
};

struct ValueInterval {
  double low = 0;
  double high = 0;
};

// What one estimator returns.
struct Estimate {
  double value = 0;
  std::optional<double> squared = {};       // the signed, unclamped squared error (debias)
  std::optional<double> squared_se = {};    // standard error of `squared`
  std::optional<SquareSpread> spread = {};  // of `squared`, for its interval
  std::optional<SquareSpread> widest = {};  // where terms were chosen: with all of them, for what the choice cannot see
  std::optional<ValueInterval> interval = {};  // of `value`, where the estimator makes it itself
  std::optional<double> se = {};               // standard error of `value`, where it is a mean over rows
  std::optional<std::int64_t> bins = {};       // bins asked for; for a sweep, the number it chose
  std::vector<Bin> per_bin = {};               // non-empty bins, ascending
  std::vector<Component> parts = {};           // decompositions
  std::string note = {};                       // what must be said beside the value
};

// One line of `tare measure`: an estimator with its options, its value or the reason why
// there is none, and what can be said about it.
struct Measured {
  std::string name;
  EstimatorInfo about = {};
  std::optional<int> norm = {};
  std::optional<std::size_t> class_index = {};  // classwise: one class; empty: the whole
  std::optional<Estimate> estimate = {};
  std::string reason = {};    // why there is no estimate
  std::string estimand = {};  // "tce", or empty
  std::string scope = {};     // nll and brier: "multiclass" or "binary"
  std::optional<double> low = {};
  std::optional<double> high = {};
  std::string interval = {};              // method of low and high
  std::string interval_reason = {};       // why there is no interval
  std::optional<double> floor = {};       // mean of the estimate were the model perfectly calibrated
  std::optional<double> floor_high = {};  // its 95% quantile
  std::size_t resamples = 0;              // redrawings behind the floor
  Judgement judgement = Judgement::none;
};

struct InputInfo {
  std::size_t n = 0;
  std::size_t k = 0;
  Kind kind = Kind::logits;
  Reduction reduction = Reduction::top_label;
  std::string source = {};
  bool weighted = false;
  double total_weight = 0;  // n, unless weighted
  std::string note = {};    // what the weights mean, where that may surprise
  std::string used = {};    // which columns or arrays play which part; empty: the caller named each
};

// Where the mean label of one bin would fall, were the model perfectly calibrated: 95 of 100 times inside.
struct Band {
  double low = 0;
  double high = 1;
};

struct BinBands {
  std::string estimator;        // whose bins
  std::vector<Band> band = {};  // in the order of its bins
};

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

// The one decision (analysis/verdict.hpp), and what its sentences are made of.
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
