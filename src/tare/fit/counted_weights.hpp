// Weights in the unit of one prediction, for fits that count: a smoothed rate, the evidence of a model, rows dealt out
// to parts. A common factor of all weights changes nothing.
#pragma once

#include <span>
#include <vector>

namespace tare::inner::fit {

// Where all weights are whole multiples of the smallest one, that one counts as one prediction and 2 is the row twice.
// Else the rows of positive weight are as many predictions, and share them by weight. Empty for no weights.
std::vector<double> counted_weights(std::span<const double> weight);

}  // namespace tare::inner::fit
