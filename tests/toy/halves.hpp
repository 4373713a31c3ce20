// An estimator that only the tests know: the mean gap between score and label over two bins, below one half and above.
// It has an interval, a diagram and a place on the page of `tare report`, all by what stands in this file; one line of
// the table of estimators knows it (CMakeLists.txt here).
#pragma once

#include <cmath>

#include "tare/measure/estimators.hpp"

namespace tare::detail::measure {

inline Result<Estimate> halves(const Sample& sample, const Options&) {
  Estimate out{.bins = 2, .per_bin = diagram(sample.bins(Binning::width, 2), Binning::width, sample.unit())};
  double n = 0, variance = 0;
  for (const Bin& bin : out.per_bin) n += bin.count;
  for (const Bin& bin : out.per_bin) {
    const double share = bin.count / n;
    out.value += share * std::abs(bin.mean_score - bin.mean_label);
    variance += share * share * bin.mean_label * (1 - bin.mean_label) / bin.count;
  }
  out.se = std::sqrt(variance);
  out.parts = {{"rows", n}};
  return out;
}

inline constexpr Estimator halves_estimator{{.name = "halves",
                                             .title = "error of two halves",
                                             .summary = "mean gap below and above a score of one half",
                                             .citation = "the tests",
                                             .interval = normal_interval,
                                             .binning = Binning::width,
                                             .panel = {"two halves", "the two halves"}},
                                            {.run = halves, .resamples = 200}};

}  // namespace tare::detail::measure
