// From a recipe to a map that applies it to many rows.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "tare/core/recipe.hpp"
#include "tare/core/views.hpp"
#include "tare/fit/spec.hpp"

namespace tare::detail::fit {

std::unique_ptr<Map> make_map(const Recipe& recipe);

// out = softmax(v z), row by row (rows/rows.inl). k = 1: the probability of class 1.
void tempered_softmax(const Reals& in, std::size_t k, bool probabilities, double v, std::span<double> out);

// The numbers that vector, matrix and Dirichlet scaling combine linearly: logits, or logarithms of
// probabilities. One column becomes two, (-z/2, z/2) or (ln(1-p), ln p), so that two classes are no special case.
using Features = Recipe::Features;

std::size_t feature_count(std::size_t columns);

// Whole rows in, rows of `feature_count` numbers out, each `stride` apart.
void fill_features(const Reals& in, std::size_t columns, Kind kind, Features features, std::span<double> out,
                   std::size_t stride);

// Classes whose logit was -inf (masked_logit): whatever a map makes of the number that stands for it, their
// probability is 0. Rows of `columns` numbers before and after a map.
void exclude_masked(const Reals& in, std::size_t columns, std::span<double> out);

}  // namespace tare::detail::fit
