// What `tare plot` shows beside the diagrams of a survey. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tare/core/curve.hpp"
#include "tare/core/results.hpp"
#include "tare/core/test_report.hpp"

namespace tare::detail {

// ---- How much an error depends on choices that nobody reports: the number of bins and the number of rows.

struct BinChoicePoint {
  double at = 0;                          // the number of bins, or of rows
  double value = 0;                       // of all rows, or the mean over random parts of them
  std::optional<double> sd = {};          // over these parts; empty: all rows
  std::optional<double> floor = {};       // the mean of a calibrated model with these scores
  std::optional<double> floor_high = {};  // its 95% quantile
};

struct BinChoiceLine {
  EstimatorInfo about = {};
  std::optional<int> norm = {};
  std::vector<BinChoicePoint> by_bins = {};
  std::vector<BinChoicePoint> by_rows = {};  // with `bins` bins; the last is all rows
};

struct BinChoice {
  InputInfo input = {};
  int bins = 0;  // asked for
  std::size_t parts = 0;
  std::size_t resamples = 0;
  std::uint64_t seed = 0;
  std::vector<BinChoiceLine> lines = {};
  std::string reason = {};  // why there are no parts
};

// ---- A fitted calibrator over the data: what it makes of every score.

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

// ---- The smallest error that a test finds, for several numbers of rows.

struct DetectablePoint {
  double n = 0;
  Detectable smallest = {};
  bool here = false;  // the n of the data
};

struct DetectableCurve {
  InputInfo input = {};
  std::vector<DetectablePoint> points = {};  // rising n
  ErrorRange estimate = {};                  // of the true error of these data, in the norm of the points
  std::optional<double> needed =
      {};  // rows at which an error as large as the estimate is found; empty: beyond the points
  std::size_t resamples = 0;
  std::uint64_t seed = 0;
};

// ---- Calibration curves of several models, or of one before and after a calibrator, for one diagram.

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

// ---- What accuracy one gets from the most confident rows alone, where the others are handed to somebody else.

struct RejectionPoint {
  double share = 0;      // of the weight: the most confident rows; equal scores are kept or refused together
  double threshold = 0;  // the smallest score among them
  double weight = 0;     // theirs
  double accuracy = 0;
  double low = 0;  // Wilson's 95% interval of the accuracy, for this share by itself
  double high = 0;
  double claimed = 0;  // their mean score: the accuracy that the model promises
};

struct RejectionCurve {
  InputInfo input = {};
  std::vector<RejectionPoint> points = {};  // rising share; the last keeps every row
  std::size_t thresholds = 0;               // different scores; more than points where the curve was thinned
  double mean_accuracy = 0;                 // over all thresholds, by weight: 1 less the area under the risk curve
};

}  // namespace tare::detail
