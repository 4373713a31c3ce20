// Everything `tare measure` knows. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tare/core/curve.hpp"
#include "tare/core/groups.hpp"
#include "tare/core/results.hpp"
#include "tare/core/test_report.hpp"

namespace tare::detail {

struct ClassCurve {
  std::size_t class_index = 0;
  CurveBand curve = {};
};

struct Survey {
  InputInfo input = {};
  std::uint64_t seed = 0;
  std::size_t resamples = 0;  // the most behind any floor; 0: no resampling was asked for
  std::vector<Measured> measured = {};
  std::optional<TestReport> test = {};  // with the verdict; empty: classwise, or no resampling
  std::vector<BinBands> bands = {};     // of diagrams
  std::size_t band_resamples = 0;
  std::optional<CurveBand> curve = {};        // with its band; empty: classwise
  std::vector<ClassCurve> class_curves = {};  // classwise: of at most twenty classes, those with the largest errors
  std::optional<GroupReport> groups = {};     // empty: none were asked for
  std::vector<std::string> class_names = {};
  std::vector<std::string> notes = {};  // what was done differently for reasons of cost
};

// The bands of the bins of an estimator; null if there are none.
inline const std::vector<Band>* band_of(const Survey& survey, std::string_view estimator) {
  for (const BinBands& b : survey.bands)
    if (b.estimator == estimator) return &b.band;
  return nullptr;
}

// What a line tells beyond what a calibrated model would show: a rare class has a small error, a common one more noise.
inline double beyond_noise(const Measured& m) { return m.estimate->value - m.floor.value_or(0); }

// The calibration curve of the rows that a line is about; null if there is none.
inline const CurveBand* curve_of(const Survey& survey, const Measured& m) {
  if (!m.class_index) return survey.curve ? &*survey.curve : nullptr;
  for (const ClassCurve& c : survey.class_curves)
    if (c.class_index == *m.class_index) return &c.curve;
  return nullptr;
}

}  // namespace tare::detail
