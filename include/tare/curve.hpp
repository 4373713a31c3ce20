// The calibration curve of what was measured, and a band that holds the whole true curve.
//
//     const auto c = tare::calibration_curve(*m);
//     for (const tare::CurveCell& cell : c->cells) plot(cell.mean_score, cell.curve, cell.low, cell.high);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tare/measurement.hpp>
#include <tare/result.hpp>

namespace tare {
inline namespace v0_3 {

// What the band of a calibration curve rests on.
enum class BandBasis {
  none,    // there is no band; `reason` says why
  rising,  // the true curve never falls
  values,  // nothing: the scores take few values, and each has an exact interval
  spans    // nothing: the data contradict a rising curve, and the band is for the mean of the curve over each span
};

// Neighbouring scores, taken together; equal scores are never apart.
struct CurveCell {
  double first = 0, last = 0;  // the smallest and the largest score
  double mean_score = 0;
  double count = 0;  // rows, or their weight
  double rate = 0;   // share of hits
  double curve = 0;  // the smooth estimate at mean_score
  // rising: the curve is at least `low` at every score from `last` on and at most `high` at every score up to `first`.
  // values: the interval at this score. spans: the interval of the span that the cell is in.
  double low = 0, high = 1;
};

// The cells from .. to - 1.
struct CurveSpan {
  std::size_t from = 0, to = 0;
  double mean_score = 0, count = 0, rate = 0;
  double low = 0, high = 1;
};

// Whether the curve of a calibrated model is in the band everywhere.
enum class Diagonal { unknown, inside, outside };

// The calibration curve as a picture shows it: a smooth estimate, and a band that holds the whole true curve in at
// least 95 of 100 samples.
struct CurveBand {
  BandBasis basis = BandBasis::none;
  double level = 0.95;
  std::vector<CurveCell> cells = {};  // ascending; at most 256
  std::vector<CurveSpan> spans = {};  // with BandBasis::spans only
  Diagonal diagonal = Diagonal::unknown;
  double outside = 0;       // the share of rows at whose scores the diagonal is outside
  std::string reason = {};  // why there is no band
};

// Error: a classwise measurement, which has a curve for each class and no common one.
TARE_EXPORT Result<CurveBand> calibration_curve(const Measurement& measurement);

}  // namespace v0_3
}  // namespace tare
