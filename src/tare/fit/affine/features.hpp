// The numbers that vector, matrix and Dirichlet scaling combine linearly: logits, or logarithms of
// probabilities. One column becomes two, (-z/2, z/2) or (ln(1-p), ln p), so that two classes are no special case.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "tare/core/recipe.hpp"
#include "tare/numeric/simd/tempered.hpp"

namespace tare::detail::fit {

using Features = Recipe::Features;

std::size_t feature_count(std::size_t columns);

// Whole rows in, rows of `feature_count` numbers out, each `stride` apart.
void fill_features(const Reals& in, std::size_t columns, Kind kind, Features features, std::span<double> out,
                   std::size_t stride);

}  // namespace tare::detail::fit
