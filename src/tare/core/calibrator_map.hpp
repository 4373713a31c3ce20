// A fitted calibrator over the data: what it makes of every score. Plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tare/core/results.hpp"

namespace tare::detail {

// Neighbouring scores and what the calibrator makes of them. Where a score alone does not say it (several classes),
// the results scatter.
struct MapPoint {
  double before = 0;  // mean score
  double after = 0;   // mean result
  double low = 0;     // a tenth of the results is below, and
  double high = 0;    // a tenth is above
  double weight = 0;
};

struct MapLine {
  std::string name = {};                        // of the class; empty: the only line
  std::optional<std::size_t> class_index = {};  // empty: the predicted class
  std::vector<MapPoint> curve = {};             // ascending
  std::vector<Bin> data = {};                   // equal-mass bins of the scores before, with their hit rates
};

struct CalibratorMap {
  InputInfo input = {};
  std::string method = {};
  std::string fitted_on = {};  // the data, or the file of a saved model
  bool same_rows = false;      // fitted on the rows that are drawn
  std::vector<MapLine> lines = {};
  std::size_t classes = 0;  // there are; lines are those with the most rows
};

}  // namespace tare::detail
