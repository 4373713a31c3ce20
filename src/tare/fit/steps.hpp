// Step functions on [0, 1]: what histogram, bbq and scaling_binning leave behind. Values between edges,
// intervals (a, b] as everywhere, 0 in the first.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "tare/core/recipe.hpp"
#include "tare/fit/knot_guide.hpp"
#include "tare/fit/parameters.hpp"

namespace tare::detail::fit {

// Where two neighbouring bins meet: half-way between the last score of one and the first of the next. The
// result e has lower <= e < upper, so that both scores fall on their own side even when they are adjacent doubles.
double half_way(double lower, double upper);

struct Steps {
  std::vector<double> edges = {};  // ascending; one less than values
  std::vector<double> values = {};
  KnotGuide guide = {};

  [[nodiscard]] std::size_t index(double score) const { return guide.lower(edges, score); }
  double operator()(double score) const { return values[index(score)]; }
  // Of many scores, with a guide.
  template <class T>
  void map(std::span<const T> score, std::span<double> out) const {
    for_blocks(score, [&](std::span<const T> some, std::size_t from) {
      std::array<std::uint32_t, knot_block> place;
      guide.lower(some, place.data());
      for (std::size_t i = 0; i < some.size(); ++i) out[from + i] = values[place[i]];
    });
  }

  // The next value to the right of `edge`; equal neighbours become one step.
  void append(double edge, double value) {
    if (!values.empty()) {
      if (values.back() == value) return;
      edges.push_back(edge);
    }
    values.push_back(value);
  }
};

// The parameters `edges` and `values`, one list per problem.
void save(const std::vector<Steps>& steps, Model& model);
Result<Recipe> steps_recipe(const Model& model, Recipe::Shape shape);

}  // namespace tare::detail::fit
