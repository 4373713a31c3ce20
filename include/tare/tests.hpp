// Is it miscalibrated? p-values by redrawing the labels from the scores, and what this many rows could have shown.
//
//     const auto t = tare::test(*p);
//     if (t && t->rejected) std::cout << t->sentence << '\n';
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <tare/predictions.hpp>
#include <tare/run.hpp>
#include <tare/verdict.hpp>

namespace tare {
inline namespace v0_3 {

struct TestOptions {
  std::optional<Reduction> reduction = {};   // top_label or positive; empty: the rule of Reduction
  std::vector<std::string> statistics = {};  // estimators or tests by name; empty: the usual ones
  int bins = 15;
  int norm = 2;
  std::size_t resamples = 999;
  double alpha = 0.05;     // how often a calibrated model may be rejected
  bool detectable = true;  // search for the smallest error that this many rows could have shown
  double power = 0.95;     // how often it must be found
};

struct TestLine {
  std::string statistic;
  std::string title = {};
  std::optional<double> value = {};
  std::optional<double> p_value = {};
  std::string reason = {};  // why there is no p-value, or no value
};

struct TestReport {
  std::vector<TestLine> lines = {};  // the first decides
  double alpha = 0.05;
  bool rejected = false;                  // the outcome of the verdict is miscalibrated
  std::optional<double> detectable = {};  // the smallest true error (root mean square) found with that power
  Verdict verdict = {};
  std::string sentence = {};  // that of the verdict, and what the tests add to it
  support::Handle impl = {};  // what to_text and to_json show
};

TARE_EXPORT Result<TestReport> test(const Predictions& predictions, const TestOptions& options = {},
                                    const Run& run = {});

TARE_EXPORT Result<std::string> to_text(const TestReport& report, int width = 80);
TARE_EXPORT Result<std::string> to_json(const TestReport& report);

}  // namespace v0_3
}  // namespace tare
