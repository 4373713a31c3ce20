// Consistency bands of a reliability diagram: where the bar of each bin would end, were the model perfectly calibrated.
// Labels are redrawn from the scores, and the 2.5% and 97.5% quantiles of the bin's mean label are its band.
// Bröcker and Smith 2007, "Increasing the reliability of reliability diagrams". Each band by itself: of 15 bars of a
// calibrated model one lies outside its own more often than not.
#pragma once

#include <cstdint>
#include <vector>

#include "tare/core/survey.hpp"
#include "tare/numeric/order/bins.hpp"

namespace tare::detail::analysis {

struct BandOptions {
  std::size_t resamples = 1000;
  std::uint64_t seed = 1;
  int threads = 1;
};

// One band for every non-empty bin, ascending.
std::vector<Band> consistency_bands(const numeric::Ordered& rows, numeric::Binning binning, std::size_t bins,
                                    const BandOptions& options = {});

// For each line of the survey that lists bins of one of the two kinds by its number (ece, debias, mce and sweeps), once
// per estimator. `rows`: what the survey measured.
std::vector<BinBands> bands_of(const Survey& survey, const numeric::Ordered& rows, const BandOptions& options = {});

}  // namespace tare::detail::analysis
