// Calibration curves of several models, or of one before and after a calibrator, for one diagram. Plain data.
#pragma once

#include <string>
#include <vector>

#include "tare/core/curve.hpp"
#include "tare/core/results.hpp"

namespace tare::detail {

struct NamedCurve {
  std::string name = {};  // of the model, or "before" and "after"
  InputInfo input = {};
  CurveBand curve = {};
  std::vector<Bin> histogram = {};  // of the scores: bins of equal width that hold rows
};

// One model before and after a calibrator.
struct BeforeAfter {
  std::string method = {};
  std::string fitted_on = {};
  bool same_rows = false;  // fitted on the rows that are drawn
  NamedCurve before = {}, after = {};
};

}  // namespace tare::detail
