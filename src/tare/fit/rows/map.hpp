// From a recipe to a map that applies it to many rows.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "tare/core/recipe.hpp"
#include "tare/fit/spec.hpp"

namespace tare::inner::fit {

std::unique_ptr<Map> make_map(const Recipe& recipe);

// out = softmax(v z), row by row (rows/rows.inl). k = 1: the probability of class 1.
void tempered_softmax(const Reals& in, std::size_t k, bool probabilities, double v, std::span<double> out);

}  // namespace tare::inner::fit
