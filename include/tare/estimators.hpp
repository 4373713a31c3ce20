// The table of estimators, and one of them on predictions as they are: a number, without noise, interval or verdict
// (measurement.hpp has those).
//
//     const auto e = tare::estimate(*p, {.estimator = "ece_ew", .norm = 1});
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tare/predictions.hpp>
#include <tare/run.hpp>

namespace tare {
inline namespace v0_3 {

enum class Norms {
  none,  // the norm has no meaning
  one,   // mean absolute only
  two,   // root mean square only
  both,  // mean absolute (1) and root mean square (2)
};

// What is known about an estimator. Its texts live as long as the program.
struct Estimator {
  std::string_view name;
  std::string_view title;
  std::string_view summary;        // one line: what the number says
  std::string_view citation;       // author, year, equation
  std::string_view estimand = {};  // "tce": the true calibration error; empty: something else
  std::string_view interval = {};  // how its interval is made; empty: it has none
  Norms norms = Norms::none;
  bool uses_bins = false;   // Choice::bins has an effect
  bool is_error = true;     // an error of calibration: small is good, and noise alone makes it larger than 0
  bool is_fraction = true;  // in [0, 1], shown in percent; false: a score in its own unit
};

TARE_EXPORT std::span<const Estimator> estimators() noexcept;  // in the order of reports

// An estimator with its options.
struct Choice {
  std::string estimator;
  int norm = 0;  // 1 or 2; 0: the one that people quote, else 1 where the estimator has it
  int bins = 15;
  std::optional<Reduction> reduction = {};  // empty: the rule of Reduction
};

// One non-empty bin of a reliability diagram: (lower, upper], 0 belongs to the first.
struct Bin {
  double lower = 0;
  double upper = 1;
  double count = 0;  // sum of weights
  double mean_score = 0;
  double mean_label = 0;
};

struct Estimate {
  double value = 0;
  std::optional<double> se = {};       // standard error, where it is a mean over rows
  std::optional<double> squared = {};  // the signed square that `value` is the root of, where it was made so
  std::vector<Bin> bins = {};          // of its diagram; empty for estimators without one
};

TARE_EXPORT Result<Estimate> estimate(const Predictions& predictions, const Choice& choice, const Run& run = {});

}  // namespace v0_3
}  // namespace tare
