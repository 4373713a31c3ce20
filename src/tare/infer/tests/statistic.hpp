// What a test of calibration looks at: a number that is a function of the sample. Either a row of the table of
// tests (registry.cpp here), or any error of the table of estimators.
//
// To add one: a file with a function of a Sample and its row, its test, and a line in registry.cpp. Its distribution
// on calibrated data needs no theory: labels are redrawn from the scores (test.hpp).
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tare/core/test_report.hpp"
#include "tare/measure/spec.hpp"

namespace tare::detail::infer {

struct Test {
  std::string_view name;
  std::string_view title;
  std::string_view summary;  // one line, what the number says
  std::string_view citation;
  bool two_sided = false;  // small values speak against calibration as large ones do
  Result<double> (*statistic)(const measure::Sample&) = nullptr;
  Result<TestEvidence> (*evidence)(const measure::Sample&) = nullptr;  // of a test that has parts
};

std::span<const Test> all_tests();

// A statistic with its options: a test, or an estimator.
struct Statistic {
  const Test* test = nullptr;
  measure::Choice choice = {};  // where it is no test

  [[nodiscard]] std::string_view name() const { return test ? test->name : choice.estimator->name; }
  [[nodiscard]] std::string_view title() const { return test ? test->title : choice.estimator->title; }
  [[nodiscard]] bool two_sided() const { return test && test->two_sided; }
  [[nodiscard]] std::optional<int> norm() const { return test ? std::nullopt : choice.norm(); }
  [[nodiscard]] bool squared() const {
    return !test && choice.estimator->interval.method == IntervalMethod::inverted_square;
  }
  // Of a debiased error the signed square: half of calibrated samples would tie at 0 otherwise.
  [[nodiscard]] Result<double> operator()(const measure::Sample& sample) const {
    if (test) return test->statistic(sample);
    const auto estimate = choice.run(sample);
    if (!estimate) return estimate.error();
    return estimate->squared ? *estimate->squared : estimate->value;
  }
};

// The statistic of that name; where a test and an estimator share it, the test. A norm the estimator lacks becomes the
// other.
Result<Statistic> find_statistic(std::string_view name, measure::Options options = {});

// Every name that find_statistic takes.
std::vector<std::string_view> statistic_names();

// What `tare test` shows unasked; the first is the one a conclusion is spoken from.
std::vector<std::string_view> default_statistics();

// Of a test that asks how labels vary, where every score is 0 or 1.
Error labels_cannot_vary();

}  // namespace tare::detail::infer
