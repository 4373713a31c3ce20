// From a recipe to a map that applies it to many rows.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "tare/core/recipe.hpp"
#include "tare/core/views.hpp"
#include "tare/fit/spec.hpp"

namespace tare::detail::fit {

std::unique_ptr<Map> make_map(const Recipe& recipe);

// out = softmax(v z), row by row (rows/rows.inl). k = 1: the probability of class 1.
void tempered_softmax(const Reals& in, std::size_t k, bool probabilities, double v, std::span<double> out);

// Classes whose logit was -inf (masked_logit): whatever a map makes of the number that stands for it, their
// probability is 0.

// Rows of `columns` numbers before and after a map.
void exclude_masked(const Reals& in, std::size_t columns, std::span<double> out);

}  // namespace tare::detail::fit
