// What is known about an estimator, without its functions: the table of estimators (measure/registry.cpp) is made of
// it, and results carry it, so that whoever shows a number needs to know no names. Plain data; its words live as long
// as the program.
#pragma once

#include <optional>
#include <string_view>

#include <tare/estimators.hpp>

namespace tare::detail {

using tare::Norms;
enum class Binning { width, mass };  // bins as wide as each other, or of as many rows

// What a value is: a fraction, shown in percent, or a score in units of its own.
enum class Unit { fraction, score };

// How the 95% interval for the true quantity comes about (infer/interval/interval.hpp).
enum class IntervalMethod {
  none,             // there is no valid one
  wilson,           // of a proportion
  normal,           // of a mean over rows, from Estimate::se
  inverted_square,  // from Estimate::spread, by inverting what the squared error says
  own               // Estimate::interval: the estimator makes it itself
};

struct IntervalRule {
  IntervalMethod method = IntervalMethod::none;
  double skew = 0;              // inverted_square: standard deviations that count below D where the true error is 0
  std::string_view words = {};  // its name, or why there is none
};

inline constexpr std::string_view adds_noise = "not corrected: that adds more noise than the bias it removes";

inline constexpr IntervalRule no_interval{.words =
                                              "no valid interval: a bootstrap of a plug-in error doubles its bias"};
inline constexpr IntervalRule unknown_error{.words = "no valid interval: no standard error is known for it"};
inline constexpr IntervalRule wilson_interval{.method = IntervalMethod::wilson, .words = "Wilson 95%"};
inline constexpr IntervalRule normal_interval{.method = IntervalMethod::normal, .words = "normal 95%"};

// What it stands for among the others. Each is a place that shows it unasked.
struct Roles {
  bool headline = false;      // the one number to report, where it has an interval
  bool mean_gap = false;      // beside it: the same in norm 1
  bool reference = false;     // a verdict is spoken from it and a diagram drawn from it; the first that has a value
  bool mean_score = false;    // what the model claims on average
  bool mean_label = false;    // what comes true on average
  bool quoted_score = false;  // among the five numbers that people quote
  bool monotone = false;      // its diagram is a rising curve, drawn over the bars of the others
  bool tested = false;        // a statistic of `tare test`
  bool bias_drawn = false;    // a line of `tare plot bias`
  int compared = 0;           // its place among the columns of `tare compare`; 0: none
  std::optional<int> quoted = {};  // the norm in which people quote it
};

// Its diagram on the page of `tare report`; without a label it has none.
struct Panel {
  std::string_view label = {};  // of the switch: "equal width"
  std::string_view bins = {};   // after "Bins of"
};

struct EstimatorInfo {
  std::string_view name = {};
  std::string_view title = {};
  std::string_view summary = {};      // one line, what the number says
  std::string_view citation = {};     // author, year, equation
  std::string_view short_title = {};  // where a sentence has room for a word: "ECE"; empty: its name
  std::string_view estimand = {};     // "tce": the true calibration error; empty: something else
  Norms norms = Norms::none;
  bool uses_bins = false;  // the number of bins has an effect
  bool is_error = true;    // an error of calibration: small is good, has a noise floor
  Unit unit = Unit::fraction;
  IntervalRule interval = no_interval;
  std::optional<Binning> binning = {};  // of its diagram, where that has bars
  std::string_view left_alone = {};     // why its value is not corrected for a known bias; empty: correcting helps
  Roles roles = {};
  Panel panel = {};
};

constexpr bool has_norm(const EstimatorInfo& info, int norm) {
  return info.norms == Norms::both ? norm == 1 || norm == 2
         : norm == 1               ? info.norms == Norms::one
                                   : norm == 2 && info.norms == Norms::two;
}

// The norm it is shown in where one is enough.
constexpr int usual_norm(const EstimatorInfo& info) {
  return info.roles.quoted ? *info.roles.quoted : has_norm(info, 1) ? 1 : 2;
}

}  // namespace tare::detail
