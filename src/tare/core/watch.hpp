// What `tare watch` knows: days, each against a reference period. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/options.hpp"
#include "tare/core/test_report.hpp"

namespace tare::detail {

// Has the calibration curve moved since the reference? Whatever the scores do.
struct CalibrationShift {
  std::optional<double> p_value = {};  // empty: nothing can be compared
  std::vector<TestPart> parts = {};
  double change = 0;       // of the hit rate at equal scores, on average
  double se = 0;           // of that
  std::size_t strata = 0;  // of the score that are compared
  double uncovered = 0;    // share of the day's rows outside them
};

// Have the scores drifted since the reference? Whatever the labels do.
struct ScoreDrift {
  double distance = 0;  // Kolmogorov-Smirnov: the largest difference between shares of rows below a score
  double p_value = 1;
  double mean = 0;  // mean score less that of the reference
};

struct WatchDay {
  std::string name = {};
  std::uint64_t rows = 0;
  double mean_score = 0, hit_rate = 0;
  CalibrationShift calibration_shift = {};
  ScoreDrift score_drift = {};
  // All days up to this one.
  double evidence = 1;            // against 'calibrated'
  double detector = 0;            // the same, of late; begins again after its alarm
  double reference_evidence = 1;  // against 'as in the reference'
};

struct WatchOptions {
  double alpha =
      options::alpha
          .usual;  // how often there may be a false alarm, ever; of `calibration_shift` and `score_drift`, a day
  double run_length = options::run_length.usual;
  std::size_t resamples = options::watch_resamples.usual;
  std::uint64_t seed = options::seed.usual;
};

// What can be an alert.
enum class Alert { lost, lately, changed, moved, drifted };
inline constexpr std::string_view alert_names[] = {"lost", "lately", "changed", "moved", "drifted"};

struct WatchReport {
  WatchOptions options = {};
  std::string reference = {};  // its name
  std::uint64_t reference_rows = 0;
  double reference_score = 0, reference_rate = 0;  // means
  bool exact =
      true;  // every score is known as it was, so that the level of `calibration_shift` is exact for few different ones
  std::vector<WatchDay> days = {};

  // Evidence that is an alarm.
  [[nodiscard]] double evidence_limit() const { return 1 / options.alpha; }
  // A fifth of alpha is for the days, the rest for the error of the reference.
  [[nodiscard]] double reference_limit() const { return 5 / options.alpha; }

  [[nodiscard]] bool is(Alert alert, const WatchDay& day) const {
    switch (alert) {
      case Alert::lost:
        return day.evidence >= evidence_limit();
      case Alert::lately:
        return day.detector >= options.run_length;
      case Alert::changed:
        return day.reference_evidence >= reference_limit();
      case Alert::moved:
        return day.calibration_shift.p_value && *day.calibration_shift.p_value < options.alpha;
      default:
        return day.score_drift.p_value < options.alpha;
    }
  }
};

}  // namespace tare::detail
