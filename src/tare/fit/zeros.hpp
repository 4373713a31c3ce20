// Probabilities of exactly 0, for the maps that take logarithms. Forests, trees, nearest neighbours and stated
// confidences say 0 and 1 often, 0 has no logarithm, and whatever large number stands in for it decides the fit. So
// those rows are given what the fit data show: how often something happened that its row had given probability 0.
//
// k of m such rows wrong make the rate (k + 1/2) / (m + 1), the mean under Jeffreys' prior. The zeros of a row share it
// equally, and the other entries are scaled to leave it room. Rows that leave one class only (certain: 0 or 1 in one
// column) and rows that leave several (K > 2) have a rate each. All other rows stay as they are, and where the fit data
// have no zero nothing is recorded and nothing changes. Where they have one, numbers below 2^-53 count as 0 too: 1
// minus them is 1, and where the small numbers of naive Bayes end and its zeros begin is an accident of the type.
#pragma once

#include <optional>
#include <vector>

#include "tare/fit/spec.hpp"

namespace tare::detail::fit {

struct ZeroRates {
  double certain = 0;  // rows that leave one class only
  double partial = 0;  // rows that exclude some classes and leave several
};

// Weights: where all are whole multiples of the smallest one, that is a row and 2 of it the row twice; else k and m are
// shares of the total weight times the number of rows of positive weight. Either way a common factor of all weights
// changes nothing. A kind of row that does not occur takes the rate of the other one.
std::optional<ZeroRates> zero_rates(const MulticlassView& view, int threads);

// A copy in float64 whatever the input, with the zeros filled. `keep_top`: a row whose zeros would overtake its largest
// entry gets as much as leaves that one ahead.
std::vector<double> fill_zeros(const Reals& in, std::size_t columns, const ZeroRates& rates, bool keep_top);

using FitFunction = Result<Model> (*)(const MulticlassView&, const Options&);
using RecipeFunction = Result<Recipe> (*)(const Model&);

// Fits on filled rows and records the rates; a recipe that fills rows by them. Models without rates, which are those of
// logits, of data without zeros and of tare 0.1.0, are those of `fit` and `recipe` themselves.
Result<Model> fit_filled(const MulticlassView& view, const Options& options, FitFunction fit, bool keep_top);
Result<Recipe> filled_recipe(const Model& model, RecipeFunction recipe, bool keep_top);

// As a calibrator holds them.
template <FitFunction fit, bool keep_top = false>
Result<Model> fit_filled(const MulticlassView& view, const Options& options) {
  return fit_filled(view, options, fit, keep_top);
}
template <RecipeFunction recipe, bool keep_top = false>
Result<Recipe> filled_recipe(const Model& model) {
  return filled_recipe(model, recipe, keep_top);
}

}  // namespace tare::detail::fit
