// Rows with one column, and the probabilities of both classes.
#pragma once

#include <span>

#include "tare/fit/spec.hpp"

namespace tare::inner::fit {

// `out` has two numbers for each row.
void apply_to_both(const Map& map, const Reals& values, std::span<double> out, int threads);

}  // namespace tare::inner::fit
