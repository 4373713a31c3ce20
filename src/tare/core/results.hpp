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

#include "tare/core/estimator.hpp"
#include "tare/core/views.hpp"

namespace tare::detail {

using tare::Bin;
using tare::Judgement;
using tare::Reduction;

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

}  // namespace tare::detail
