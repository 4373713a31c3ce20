// What the band of a calibration curve means, in words: the caption of every picture that has one.
#pragma once

#include <string>

#include "tare/core/curve.hpp"
#include "tare/core/results.hpp"

namespace tare::inner::render {

// What the band holds, how often, and what that assumes. Empty where there is no band but for the reason.
std::string band_meaning(const CurveBand& band);

// Whether the diagonal leaves the band, and how often that of a calibrated model would. Empty without a band.
std::string diagonal_sentence(const CurveBand& band);

// A few words for a legend.
std::string band_label(const CurveBand& band);

}  // namespace tare::inner::render
