// What `tare test` knows: is this model calibrated, and could this n have told? Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/groups.hpp"
#include "tare/core/results.hpp"

namespace tare::detail {

// One part of a test that has several, on a scale on which they can be compared.
struct TestPart {
  std::string name;
  double weight = 0;       // its share of the level
  double minus_log_p = 0;  // of the tail of chi-square; the p-value of the test comes from redrawings
};

// What is wrong with the scores, where the test can say.
enum class Finding { too_high, too_low, too_extreme, too_timid };

struct TestEvidence {
  std::vector<TestPart> parts = {};
  std::string spoke = {};  // the part that decides
  Finding finding = Finding::too_high;
  std::optional<double> from = {};  // at the scores from .. to; empty: all of them
  std::optional<double> to = {};
};

// One statistic against what it is on calibrated data with the same scores.
struct TestResult {
  std::string name;
  std::string title = {};
  std::optional<int> norm = {};
  bool squared = false;                  // a signed squared error
  bool two_sided = false;                // both a small and a large statistic speak against calibration
  std::optional<double> statistic = {};  // for debiased errors the signed squared one; empty: undefined or infinite
  std::optional<double> p_value = {};
  std::optional<double> accepted_low = {};  // outside low .. high the p-value is below alpha; empty: no bound
  std::optional<double> accepted_high = {};
  std::optional<TestEvidence> evidence = {};  // of a test that has parts
  std::string reason = {};                    // why there is no p-value, or no statistic
};

// The smallest true calibration error, along a path of truths, that the test finds with this power.
struct Detectable {
  std::string statistic = {};
  std::optional<double> tce = {};
  int norm = 2;
  double alpha = 0.05;
  double power = 0.95;
  std::string path = {};                // "power c^d": the rate of hits at score c
  std::optional<double> exponent = {};  // d
  std::string reason = {};              // why there is none
};

// Whether the rejection goes away when the shares of the classes alone are put right, by one intercept per class that
// is fitted to the same labels. Not rejected after the shift is no proof of calibration.
struct LevelShift {
  std::string statistic = {};  // the test that rejected the scores as they are
  bool explained = false;      // it does not reject the shifted ones
  double p_value = 0;          // of the shifted ones
  std::size_t resamples = 0;
  std::vector<double> shift = {};  // in log-odds: of class 1 (two classes), or one per class, with mean 0
};

struct Gate {
  std::string statistic = {};
  double alpha = 0.05;
  bool rejected = false;
};

struct TestReport {
  InputInfo input = {};
  std::uint64_t seed = 0;
  std::size_t resamples = 0;
  double alpha = 0.05;
  std::vector<TestResult> tests = {};  // the first one decides
  Verdict verdict = {};
  std::optional<Detectable> detectable = {};  // empty: not asked for
  std::optional<LevelShift> level = {};       // empty: nothing to explain
  std::optional<Gate> gate = {};
  std::optional<GroupReport> groups = {};  // empty: none were asked for
  std::vector<std::string> notes = {};
};

}  // namespace tare::detail
