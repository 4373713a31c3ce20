// Scaling-binning: a Platt map, then equal-mass bins of its outputs, each of which predicts the mean output
// inside it. It takes few values, so its calibration error can be measured. Kumar, Liang & Ma 2019, section 4.1.
//
// The three steps use three different parts of the rows, as the paper's proof needs: sorted by label and score, the
// rows of rank 0, 3, 6 ... fit the Platt map, those of rank 1, 4, 7 ... place the bins, the others give the means.
// So the split is even in both classes and does not depend on row order. share_rows uses all rows for every step.
#pragma once

#include "tare/fit/histogram.hpp"
#include "tare/fit/platt.hpp"

namespace tare::detail::fit {

struct ScalingBinning {
  Sigmoid scaling = {};
  Steps bins = {};  // of the scaling's outputs
  double operator()(double z) const { return bins(scaling(z)); }
  template <class T>
  void map(std::span<const T> z, std::span<double> out) const {
    scaling.map(z, out);
    bins.map(std::span<const double>(out), out);
  }
};

// Weights of the rows in the three parts; a row of weight 2 is two rows and may be in two parts.
std::vector<std::vector<double>> three_parts(const Problem& problem);

// The scores of the problem are log-odds.
ScalingBinning fit_scaling_binning(const Problem& problem, std::size_t b, const Options& options);

extern const Calibrator scaling_binning_calibrator;

}  // namespace tare::detail::fit
